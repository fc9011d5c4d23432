Feature: A payload keeps its start from turn to turn, so that a provider's cache of it holds

  Scenario: What was there keeps its place, and what is new follows
    Given these fragments:
      | uko_node | content | token_count | created_at           | role   |
      | chat://1 | hello   | 10          | 2025-01-01T00:00:00Z | user   |
      | chat://1 | rules   | 20          | 2025-01-02T00:00:00Z | system |
      | chat://1 | task    | 30          | 2025-01-03T00:00:00Z | user   |
    And a budget of 100 tokens
    And the request names the orderer "stable"
    And the previous payload held "hello", "task"
    When the client assembles by "relevance"
    Then the payload holds "hello", "task", "rules"
    And the stable prefix takes 40 tokens

  Scenario: A changed fragment ends what is kept
    Given these fragments:
      | uko_node | content | token_count | created_at           |
      | chat://1 | hello   | 10          | 2025-01-01T00:00:00Z |
      | chat://1 | answer  | 20          | 2025-01-02T00:00:00Z |
      | chat://1 | task    | 30          | 2025-01-03T00:00:00Z |
    And a budget of 100 tokens
    And the previous payload held "task", "an older answer", "hello"
    When the client orders the fragments with "stable"
    Then the client is left with "task", "hello", "answer"

  Scenario: The stable prefix is told under every orderer
    Given these fragments:
      | uko_node | content | relevance_score | token_count |
      | app://a  | alpha   | 0.9             | 10          |
      | app://b  | beta    | 0.8             | 20          |
    And a budget of 100 tokens
    And the previous payload held "alpha", "gamma"
    When the client assembles by "relevance"
    Then the stable prefix takes 10 tokens

  Scenario: A conversation that is longer than its budget breaks its start once in nineteen turns
    Given a conversation of 100 messages of 100 tokens, a minute apart
    And a budget of 5000 tokens
    And the request names the orderer "stable"
    When the client assembles for 19 turns by "recency", each with one more message and the payload before
    Then the start of the payload breaks 1 time
    And the payload takes 4800 of 5000 available tokens

  Scenario: So does a window
    Given a conversation of 100 messages of 100 tokens, a minute apart
    And a budget of 5000 tokens
    And the request names the orderer "stable"
    When the client assembles for 19 turns by a window of 200 messages, each with one more message and the payload before
    Then the start of the payload breaks 1 time
    And the payload takes 4800 of 5000 available tokens

  Scenario: Without it the start breaks at every turn
    Given a conversation of 100 messages of 100 tokens, a minute apart
    And a budget of 5000 tokens
    And the request names the orderer "chronological"
    When the client assembles for 19 turns by "recency", each with one more message and the payload before
    Then the start of the payload breaks 19 times
    And the payload takes 5000 of 5000 available tokens

  Scenario: A cut to the low water mark is told
    Given a conversation of 10 messages of 100 tokens, a minute apart
    And a budget of 500 tokens
    And the request names the orderer "stable"
    And the request sets low_water_mark to 0.4
    When the client assembles for 1 turn by "recency", each with one more message and the payload before
    Then the payload holds "message 10", "message 11"
    And the payload warns of cut_to_low_water_mark
    And "message 9" is dropped as over budget

  Scenario: Marks that are none are refused with both numbers
    Given no fragments
    And a budget of 100 tokens
    And the request sets high_water_mark to 0.5
    And the request sets low_water_mark to 0.7
    When the client assembles by "recency"
    Then the call is refused for "pipeline.options.low_water_mark"
    And the message names "0.5", "0.7"

  Scenario: A previous fragment needs an id or a digest
    Given no fragments
    And a budget of 100 tokens
    And the previous payload names nothing of a fragment
    When the client assembles by "recency"
    Then the call is refused for "previous.fragments[0]"
