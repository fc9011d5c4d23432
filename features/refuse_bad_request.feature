Feature: A refused request says what is wrong and where
  Whatever cannot be meant as it stands is refused before any work, with the path of each field at fault.

  Scenario Outline: A fragment whose <field> is "<value>" is refused
    Given a fragment that is valid but for <field> "<value>"
    And a budget of 4096 tokens
    When the client assembles
    Then the call is refused for "fragments[0].<field>"
    And the message names "<named>"

    Examples:
      | field           | value | named           |
      | relevance_score | 1.5   | is 1.5; allowed |
      | token_count     | -1    | is -1; allowed  |
      | detail_depth    | 10    | is 10; allowed  |
      | tier            | 7     | hot (1)         |
      | uko_node        |       | is empty        |

  Scenario: A fragment may not have sixty-five entries of metadata
    Given a fragment with 65 entries of metadata
    And a budget of 4096 tokens
    When the client assembles
    Then the call is refused for "fragments[0].metadata"
    And the message names "65", "64"

  Scenario: All faults are named at once
    Given these fragments:
      | uko_node           | content | relevance_score | token_count | detail_depth |
      | project://app/a.py | sound   | 0.9             | 100         | 2            |
      | project://app/b.py | unsound | 1.5             | -1          | 10           |
    And a budget of 100 tokens, 200 of them reserved
    And the request is for the plan "not-a-valid-ulid"
    When the client assembles
    Then the call is refused for "plan_id", "fragments[1].token_count", "fragments[1].relevance_score", "fragments[1].detail_depth", "budget.reserved_tokens"

  Scenario: A request without a budget is refused
    Given no budget
    When the client assembles
    Then the call is refused for "budget"

  Scenario: Two fragments of one request may not share an id
    Given these fragments:
      | fragment_id | uko_node           | content | token_count |
      | same        | project://app/a.py | alpha   | 100         |
      | same        | project://app/b.py | beta    | 100         |
    And a budget of 500 tokens
    When the client assembles
    Then the call is refused for "fragments[1].fragment_id"
    And the message names "same"

  Scenario Outline: A stage by itself checks fragments as an assembly does: the client <does>
    Given these fragments:
      | uko_node              | content | relevance_score | token_count |
      |                       | hello   | 0.5             | 10          |
      | project://app/main.py | world   | 1.5             | -1          |
    And a budget of 100 tokens
    When the client <does>
    Then the call is refused for "fragments[0].uko_node", "fragments[1].token_count", "fragments[1].relevance_score"

    Examples:
      | does                                   |
      | deduplicates the fragments             |
      | resolves the depths                    |
      | scores the fragments                   |
      | packs the fragments                    |
      | orders the fragments                   |
      | introduces the fragments               |
      | compresses the fragments to 100 tokens |

  Scenario: A stage by itself answers an unknown component with those that exist
    Given no fragments
    When the client deduplicates the fragments with "magic"
    Then the call fails with NOT_FOUND
    And the message names "magic", "content_hash", "cross_node", "pass_through"
