Feature: A client registers settings under a name
  A registered name is used like any other. It may be that of a built-in strategy, and it holds in the client's own namespace alone.

  Background:
    Given 3 messages of 10 tokens
    And a budget of 1000 tokens

  Scenario: The usual strategies are there from the start
    When the client lists the strategies
    Then the strategies are "priority_context", "recency", "relevance", "sliding_window", "tiered"
    And these strategies are among them:
      | name             | source   |
      | sliding_window   | built in |
      | priority_context | built in |

  Scenario: A registered window is listed, described and used
    When the client registers "short_memory" as a window of 2 messages
    And the client lists the strategies
    Then the strategies are "priority_context", "recency", "relevance", "short_memory", "sliding_window", "tiered"
    And these strategies are among them:
      | name         | source     | confidence |
      | short_memory | registered | 0.5        |
    When the client looks at the strategy "short_memory"
    Then the strategy stands for a window of 2 messages
    When the client assembles by "short_memory"
    Then the payload holds "message 2", "message 3"
    And the payload was ranked by "short_memory"

  Scenario: Registered rules are kept as they were given
    When the client registers "tools_first" as these rules:
      | field          | matcher | score |
      | role           | system  | 1.0   |
      | metadata.topic | *       | -0.5  |
    And the client looks at the strategy "tools_first"
    Then the strategy stands for these rules:
      | field          | matcher | score |
      | role           | system  | 1.0   |
      | metadata.topic | *       | -0.5  |

  Scenario: A registration may have a confidence of its own
    When the client registers "short_memory" as a window of 2 messages at a confidence of 0.95
    And the client ranks the strategies
    Then the candidates are, highest confidence first, among others:
      | strategy         | confidence |
      | short_memory     | 0.95       |
      | relevance        | 0.8        |
      | priority_context | 0.75       |

  Scenario: A name that is registered again stands for its new settings
    When the client registers "short_memory" as a window of 2 messages
    And the client registers "short_memory" as a window of 1 message
    And the client assembles by "short_memory"
    Then the payload holds "message 3"

  Scenario: A built-in name is overwritten, until its registration is deleted
    When the client registers "relevance" as a window of 1 message
    And the client assembles by "relevance"
    Then the payload holds "message 3"
    When the client assembles by "builtin:relevance"
    Then the payload holds "message 1", "message 2", "message 3"
    When the client deletes the strategy "relevance"
    And the client assembles by "relevance"
    Then the payload holds "message 1", "message 2", "message 3"

  Scenario: The usual priorities take other rules under their own name
    Given these fragments:
      | uko_node      | content | token_count | role      |
      | chat://room/1 | system  | 10          | system    |
      | chat://room/2 | answer  | 10          | assistant |
    When the client registers "priority_context" as these rules:
      | field | matcher   | score |
      | role  | assistant | 1     |
    And the client lists the strategies
    Then these strategies are among them:
      | name             | source     |
      | priority_context | registered |
    When the client assembles by "priority_context"
    Then the payload holds "answer", "system"

  Scenario: Another namespace sees nothing of a registration
    Given the client is in the namespace "alpha"
    When the client registers "relevance" as a window of 1 message
    And the client registers "short_memory" as a window of 2 messages
    And the client assembles by "relevance"
    Then the payload holds "message 3"
    Given the client is in the namespace "beta"
    When the client lists the strategies
    Then the strategies are "priority_context", "recency", "relevance", "sliding_window", "tiered"
    When the client assembles by "relevance"
    Then the payload holds "message 1", "message 2", "message 3"
    When the client assembles by "short_memory"
    Then the call fails with NOT_FOUND
    And the message names "short_memory", "sliding_window"
    When the client deletes the strategy "short_memory"
    Then the call fails with NOT_FOUND

  Scenario: Who names no namespace has one of its own
    When the client registers "short_memory" as a window of 2 messages
    Given the client is in the namespace "alpha"
    When the client assembles by "short_memory"
    Then the call fails with NOT_FOUND

  Scenario: A deleted name is gone
    When the client registers "short_memory" as a window of 2 messages
    And the client deletes the strategy "short_memory"
    And the client looks at the strategy "short_memory"
    Then the call fails with NOT_FOUND
    When the client deletes the strategy "short_memory"
    Then the call fails with NOT_FOUND
    And the reason is UNKNOWN_REGISTRATION with:
      | strategy | short_memory |

  Scenario: What is built in cannot be deleted
    When the client deletes the strategy "relevance"
    Then the call fails with NOT_FOUND

  Scenario: A registration outlives the server
    Given a server that keeps its data
    When the client registers "short_memory" as a window of 2 messages
    And the client registers "relevance" as a window of 1 message
    And the client deletes the strategy "relevance"
    And the server restarts
    And the client looks at the strategy "short_memory"
    Then the strategy stands for a window of 2 messages
    When the client assembles by "relevance"
    Then the payload holds "message 1", "message 2", "message 3"
