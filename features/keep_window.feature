Feature: A long conversation is cut to its newest messages
  A window holds the newest messages, up to a number of messages or of tokens. System prompts stand outside of it and stay.

  Scenario Outline: A window of <size> <unit> holds <contents>
    Given these fragments:
      | uko_node           | content   | relevance_score | token_count | detail_depth | role |
      | project://app/a.py | message 1 | 0.5             | 10          | 3            | user |
      | project://app/b.py | message 2 | 0.6             | 10          | 3            | user |
      | project://app/c.py | message 3 | 0.7             | 10          | 3            | user |
    And a budget of 1000 tokens
    When the client assembles by a window of <size> <unit>
    Then the payload holds <contents>
    And the payload was ranked by "sliding_window"

    Examples:
      | size | unit     | contents                              |
      | 2    | messages | "message 2", "message 3"              |
      | 3    | messages | "message 1", "message 2", "message 3" |
      | 25   | tokens   | "message 2", "message 3"              |
      | 30   | tokens   | "message 1", "message 2", "message 3" |

  Scenario: What the window leaves out says so
    Given these fragments:
      | uko_node           | content   | token_count | role |
      | project://app/a.py | message 1 | 10          | user |
      | project://app/b.py | message 2 | 10          | user |
    And a budget of 1000 tokens
    When the client assembles by a window of 1 message
    Then "message 1" is dropped as outside window

  Scenario: A window larger than the conversation holds all of it
    Given these fragments:
      | uko_node           | content   | relevance_score | token_count | detail_depth | role |
      | project://app/a.py | message 1 | 0.5             | 10          | 3            | user |
      | project://app/b.py | message 2 | 0.6             | 10          | 3            | user |
    And a budget of 1000 tokens
    When the client assembles by a window of 10 messages
    Then the payload holds "message 1", "message 2"

  Scenario: A long message that fits is held
    Given these fragments:
      | uko_node           | content   | relevance_score | token_count | detail_depth | role |
      | project://app/a.py | message 1 | 0.5             | 40          | 3            | user |
    And a budget of 1000 tokens
    When the client assembles by a window of 50 tokens
    Then the payload holds "message 1"

  Scenario Outline: A window of <size> <unit> on nothing holds nothing
    Given no fragments
    And a budget of 1000 tokens
    When the client assembles by a window of <size> <unit>
    Then the payload is empty

    Examples:
      | size | unit     |
      | 5    | messages |
      | 100  | tokens   |

  Scenario Outline: A system prompt stands outside a window of <size> <unit>
    Given these fragments:
      | uko_node                | content        | relevance_score | token_count | detail_depth | role   |
      | project://system/prompt | system context | 0.9             | 20          | 5            | system |
      | project://app/a.py      | message 1      | 0.5             | 10          | 3            | user   |
      | project://app/b.py      | message 2      | 0.6             | 10          | 3            | user   |
      | project://app/c.py      | message 3      | 0.7             | 10          | 3            | user   |
    And a budget of 1000 tokens
    When the client assembles by a window of <size> <unit>
    Then the payload holds "system context", "message 2", "message 3"

    Examples:
      | size | unit     |
      | 2    | messages |
      | 25   | tokens   |

  Scenario: Every system prompt stays
    Given these fragments:
      | uko_node                 | content          | relevance_score | token_count | detail_depth | role   |
      | project://system/prompt1 | system context 1 | 0.9             | 20          | 5            | system |
      | project://system/prompt2 | system context 2 | 0.8             | 20          | 5            | system |
      | project://app/a.py       | message 1        | 0.5             | 10          | 3            | user   |
      | project://app/b.py       | message 2        | 0.6             | 10          | 3            | user   |
    And a budget of 1000 tokens
    When the client assembles by a window of 1 message
    Then the payload holds "system context 1", "system context 2", "message 2"

  Scenario: System prompts stay without any message
    Given these fragments:
      | uko_node                 | content          | relevance_score | token_count | detail_depth | role   |
      | project://system/prompt1 | system context 1 | 0.9             | 20          | 5            | system |
      | project://system/prompt2 | system context 2 | 0.8             | 20          | 5            | system |
    And a budget of 1000 tokens
    When the client assembles by a window of 1 message
    Then the payload holds "system context 1", "system context 2"

  Scenario: The budget cuts the window from its old end
    Given these fragments:
      | uko_node           | content   | relevance_score | token_count | detail_depth | role |
      | project://app/a.py | message 1 | 0.5             | 100         | 3            | user |
      | project://app/b.py | message 2 | 0.6             | 100         | 3            | user |
      | project://app/c.py | message 3 | 0.7             | 100         | 3            | user |
    And a budget of 250 tokens
    When the client assembles by a window of 10 messages
    Then the payload holds "message 2", "message 3"
    And "message 1" is dropped as over budget

  Scenario: The budget leaves no gap
    Given these fragments:
      | uko_node           | content   | token_count | role |
      | project://app/a.py | message 1 | 10          | user |
      | project://app/b.py | message 2 | 100         | user |
      | project://app/c.py | message 3 | 10          | user |
    And a budget of 50 tokens
    When the client assembles by a window of 10 messages
    Then the payload holds "message 3"

  Scenario: Without settings the window holds twenty messages
    Given 21 messages of 10 tokens
    And a budget of 1000 tokens
    When the client assembles by "sliding_window"
    Then the payload takes 200 of 1000 available tokens
    And "message 1" is dropped as outside window

  Scenario: Without a mode the window counts messages
    Given 3 messages of 10 tokens
    And a budget of 1000 tokens
    When the client assembles by a window of 2 in mode 0
    Then the payload holds "message 2", "message 3"
