Feature: A caller's rules say what matters
  A rule is a field, the text to match and a score. A fragment's priority is the sum of the rules that match; the usual ones are gone.

  Scenario: A rule on the role
    Given these fragments:
      | uko_node           | content            | relevance_score | token_count | detail_depth | role   |
      | project://app/a.py | system instruction | 0.9             | 20          | 3            | system |
      | project://app/b.py | tool result        | 0.5             | 20          | 3            | tool   |
    And a budget of 1000 tokens
    When the client assembles by these rules:
      | field | matcher | score |
      | role  | tool    | 2.0   |
    Then the payload holds "tool result", "system instruction"
    And the payload was ranked by "priority_context"

  Scenario: Rules add up
    Given these fragments:
      | uko_node           | content | token_count | role   | tier | metadata     |
      | project://app/a.py | two     | 20          | tool   | hot  |              |
      | project://app/b.py | one     | 20          | system | warm |              |
      | project://app/c.py | three   | 20          | tool   | hot  | topic=budget |
    And a budget of 1000 tokens
    When the client assembles by these rules:
      | field          | matcher | score |
      | role           | tool    | 1     |
      | tier           | hot     | 1     |
      | role           | system  | 1.5   |
      | metadata.topic | budget  | 0.5   |
    Then the payload holds "three", "two", "one"

  Scenario: A rule for any value that is present
    Given these fragments:
      | uko_node           | content  | relevance_score | token_count | metadata  |
      | project://app/a.py | untagged | 0.9             | 20          |           |
      | project://app/b.py | tagged   | 0.5             | 20          | topic=any |
      | project://app/c.py | empty    | 0.4             | 20          | topic=    |
    And a budget of 1000 tokens
    When the client assembles by these rules:
      | field          | matcher | score |
      | metadata.topic | *       | 1     |
    Then the payload holds "tagged", "empty", "untagged"

  Scenario: A rule that takes away
    Given these fragments:
      | uko_node           | content | relevance_score | token_count | tier |
      | project://app/a.py | cold    | 0.9             | 20          | cold |
      | project://app/b.py | warm    | 0.5             | 20          | warm |
    And a budget of 1000 tokens
    When the client assembles by these rules:
      | field | matcher | score |
      | tier  | cold    | -1    |
    Then the payload holds "warm", "cold"

  Scenario: Rules leave nothing of the usual ones, not even that the new comes first
    Given these fragments:
      | uko_node           | content | relevance_score | token_count | role   | created_at           |
      | project://app/a.py | old     | 0.9             | 20          | user   | 2024-01-01T00:00:00Z |
      | project://app/b.py | system  | 0.5             | 20          | system | 2025-01-01T00:00:00Z |
    And a budget of 1000 tokens
    And "2025-01-01T00:00:00Z" counts as now
    When the client assembles by these rules:
      | field | matcher | score |
      | role  | tool    | 1     |
    Then the payload holds "old", "system"

  Scenario Outline: A rule on <field> matches "<matcher>"
    Given these fragments:
      | fragment_id | uko_node              | content | relevance_score | token_count | detail_depth | tier | group_id | resource_uri    |
      | other       | project://app/io.py   | other   | 0.9             | 30          | 3            | warm |          | file:///io.py   |
      | wanted      | project://app/main.py | wanted  | 0.5             | 20          | 9            | hot  | call-1   | file:///main.py |
    And a budget of 1000 tokens
    When the client assembles by these rules:
      | field   | matcher   | score |
      | <field> | <matcher> | 1     |
    Then the payload holds "wanted", "other"

    Examples:
      | field                   | matcher               |
      | fragment_id             | wanted                |
      | uko_node                | project://app/main.py |
      | content                 | wanted                |
      | token_count             | 20                    |
      | relevance_score         | 0.5                   |
      | detail_depth            | 9                     |
      | tier                    | hot                   |
      | group_id                | *                     |
      | provenance.resource_uri | file:///main.py       |
