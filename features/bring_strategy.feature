Feature: A client ranks with a strategy of its own
  A client's strategy is known by its name like any other, and takes the place of one that has the same name.

  Background:
    Given these fragments:
      | uko_node                | content | relevance_score | token_count |
      | project://app/large.py  | large   | 0.95            | 200         |
      | project://app/first.py  | first   | 0.5             | 50          |
      | project://app/second.py | second  | 0.9             | 50          |
    And a budget of 200 tokens

  Scenario: A client's strategy runs under its own name
    Given a client's strategy "reverse" that ranks the last fragment first
    When the client assembles by "reverse"
    Then the payload holds "second", "first"
    And the payload was ranked by "reverse"

  Scenario: A client's strategy takes the place of a built-in one
    Given a client's strategy "relevance" that ranks the last fragment first
    When the client assembles by "relevance"
    Then the payload holds "second", "first"
    And the payload was ranked by "relevance"

  Scenario: The built-in one can still be reached
    Given a client's strategy "relevance" that ranks the last fragment first
    When the client assembles by "builtin:relevance"
    Then the payload holds "large"

  Scenario: What a client's strategy leaves of its share is not lost
    Given a client's strategy "modest" that wants nothing
    And a budget of 300 tokens
    When the client assembles by "relevance", "modest"
    Then the payload holds "large", "second", "first"
    And the payload was ranked by "relevance"
