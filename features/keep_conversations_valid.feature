Feature: What belongs together is never torn apart
  A tool call without its result, or an instruction that was cut away, makes a conversation that no model accepts.

  Scenario: A group ranks as its best member, oldest first
    Given these fragments:
      | uko_node      | content | relevance_score | token_count | group_id | created_at           |
      | chat://room/1 | result  | 0.9             | 30          | call-1   | 2024-01-02T00:00:00Z |
      | chat://room/2 | note    | 0.8             | 40          |          | 2024-01-03T00:00:00Z |
      | chat://room/3 | call    | 0.1             | 30          | call-1   | 2024-01-01T00:00:00Z |
    And a budget of 60 tokens
    When the client assembles by "relevance"
    Then the payload holds "call", "result"
    And "note" is dropped as over budget

  Scenario: A group that does not fit whole stays out whole
    Given these fragments:
      | uko_node      | content | relevance_score | token_count | group_id |
      | chat://room/1 | call    | 0.9             | 30          | call-1   |
      | chat://room/2 | result  | 0.9             | 30          | call-1   |
      | chat://room/3 | note    | 0.1             | 40          |          |
    And a budget of 59 tokens
    When the client assembles by "relevance"
    Then the payload holds "note"
    And "call" is dropped as over budget
    And "result" is dropped as over budget

  Scenario: A fragment enters with what it requires, or not at all
    Given these fragments:
      | fragment_id | uko_node           | content | relevance_score | token_count | requires |
      | usage       | project://app/a.py | usage   | 0.9             | 60          | types    |
      | notes       | project://app/b.py | notes   | 0.5             | 60          |          |
      | types       | project://app/c.py | types   | 0.1             | 30          |          |
    And a budget of 90 tokens
    When the client assembles by "relevance"
    Then the payload holds "usage", "types"

  Scenario: A pinned fragment is in, however little it ranks
    Given these fragments:
      | uko_node           | content | relevance_score | token_count | pinned |
      | project://app/a.py | best    | 0.9             | 80          |        |
      | project://app/b.py | pinned  | 0.1             | 40          | yes    |
    And a budget of 100 tokens
    When the client assembles by "relevance"
    Then the payload holds "pinned"
    And "best" is dropped as over budget

  Scenario: Pinned fragments that do not fit fail the request with both numbers
    Given these fragments:
      | uko_node           | content | relevance_score | token_count | pinned | group_id |
      | project://app/a.py | call    | 0.9             | 30          | yes    | call-1   |
      | project://app/b.py | result  | 0.1             | 10          |        | call-1   |
    And a budget of 30 tokens, 5 of them reserved
    When the client assembles by "relevance"
    Then the call fails with FAILED_PRECONDITION
    And the message names "40", "25"
    And the reason is PINNED_OVER_BUDGET with:
      | needed_tokens    | 40 |
      | available_tokens | 25 |
