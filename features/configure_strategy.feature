Feature: Settings that make no sense are refused with their place
  Settings come with a request or are registered; both are checked alike.

  Scenario Outline: <settings> can be used and registered
    Given no fragments
    And a budget of 1000 tokens
    When the client assembles by <settings>
    And the client registers "own" as <settings>
    Then the payload is empty
    And the strategies are "own"

    Examples:
      | settings                |
      | a window of 5 messages  |
      | a window of 100 tokens  |
      | a window of 1 message   |
      | a window of 1 in mode 0 |

  Scenario Outline: <settings> is refused
    Given no fragments
    And a budget of 1000 tokens
    When the client assembles by <settings>
    Then the call is refused for "strategies[0].<field>"
    When the client registers "own" as <settings>
    Then the call is refused for "strategy.<field>"

    Examples:
      | settings                | field                      |
      | a window of 0 messages  | sliding_window.window_size |
      | a window of -1 tokens   | sliding_window.window_size |
      | a window of 5 in mode 9 | sliding_window.window_mode |

  Scenario: Every fault of rules is named
    Given no fragments
    And a budget of 1000 tokens
    When the client assembles by these rules:
      | field     | matcher | score |
      | role      | tool    | NaN   |
      | mood      | good    | 1     |
      | metadata. | x       | 1     |
    Then the call is refused for "strategies[0].priority.rules[0].score", "strategies[0].priority.rules[1].field", "strategies[0].priority.rules[2].field"

  Scenario: As many rules as are allowed, and one more
    When the client registers "own" as 256 rules
    Then the strategies are "own"
    When the client registers "own" as 257 rules
    Then the call is refused for "strategy.priority.rules"

  Scenario Outline: The built-in name <name> does not take settings of another kind
    Given no fragments
    And a budget of 1000 tokens
    When the client assembles by "<name>" as <settings>
    Then the call is refused for "strategies[0].<field>"

    Examples:
      | name                   | settings               | field          |
      | relevance              | a window of 5 messages | sliding_window |
      | priority_context       | a window of 5 messages | sliding_window |
      | builtin:sliding_window | the priority "1.0"     | priority       |
      | sliding_window         | the score "1.0"        | expression     |

  Scenario: A registration needs settings
    When the client registers "own" without settings
    Then the call is refused for "strategy"

  Scenario Outline: The name "<name>" cannot be registered
    When the client registers "<name>" as a window of 5 messages
    Then the call is refused for "strategy.name"

    Examples:
      | name              |
      |                   |
      | builtin:relevance |
