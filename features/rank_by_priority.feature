Feature: What matters most is kept when room gets short
  Priority comes from the role, from a tag of the caller's, and from being new.

  Scenario: System messages come first
    Given these fragments:
      | uko_node           | content            | relevance_score | token_count | detail_depth | role      |
      | project://app/a.py | assistant message  | 0.9             | 20          | 3            | assistant |
      | project://app/b.py | system instruction | 0.5             | 20          | 3            | system    |
      | project://app/c.py | user request       | 0.7             | 20          | 3            | user      |
      | project://app/d.py | tool result        | 0.6             | 20          | 3            | tool      |
    And a budget of 1000 tokens
    When the client assembles by "priority_context"
    Then the payload holds "system instruction", "tool result", "user request", "assistant message"
    And the payload was ranked by "priority_context"

  Scenario: Tool results come before users and assistants
    Given these fragments:
      | uko_node           | content           | relevance_score | token_count | detail_depth | role      |
      | project://app/a.py | assistant message | 0.9             | 20          | 3            | assistant |
      | project://app/b.py | user request      | 0.8             | 20          | 3            | user      |
      | project://app/c.py | tool result       | 0.5             | 20          | 3            | tool      |
    And a budget of 1000 tokens
    When the client assembles by "priority_context"
    Then the payload holds "tool result", "user request", "assistant message"

  Scenario: Users come before assistants
    Given these fragments:
      | uko_node           | content           | relevance_score | token_count | detail_depth | role      |
      | project://app/a.py | assistant message | 0.9             | 20          | 3            | assistant |
      | project://app/b.py | user request      | 0.5             | 20          | 3            | user      |
    And a budget of 1000 tokens
    When the client assembles by "priority_context"
    Then the payload holds "user request", "assistant message"

  Scenario Outline: The tag <tag> lifts a user above the system
    Given these fragments:
      | uko_node           | content            | relevance_score | token_count | detail_depth | role   | metadata |
      | project://app/a.py | system instruction | 0.5             | 20          | 3            | system |          |
      | project://app/b.py | user request       | 0.5             | 20          | 3            | user   | <tag>    |
    And a budget of 1000 tokens
    When the client assembles by "priority_context"
    Then the payload holds "user request", "system instruction"

    Examples:
      | tag               |
      | priority_tag=high |
      | priority=high     |
      | priority=critical |

  Scenario Outline: The metadata "<metadata>" lifts nothing
    Given these fragments:
      | uko_node           | content            | relevance_score | token_count | detail_depth | role   | metadata   |
      | project://app/a.py | system instruction | 0.9             | 20          | 3            | system |            |
      | project://app/b.py | user request       | 0.5             | 20          | 3            | user   | <metadata> |
    And a budget of 1000 tokens
    When the client assembles by "priority_context"
    Then the payload holds "system instruction", "user request"

    Examples:
      | metadata         |
      |                  |
      | priority_tag=low |

  Scenario: Two tags lift no higher than one
    Given these fragments:
      | uko_node           | content | token_count | role      | metadata                         |
      | project://app/a.py | one tag | 20          | user      | priority=high                    |
      | project://app/b.py | two     | 20          | assistant | priority=high; priority_tag=high |
    And a budget of 1000 tokens
    When the client assembles by "priority_context"
    Then the payload holds "one tag", "two"

  Scenario: Of equals the more relevant come first, as far as they fit
    Given these fragments:
      | uko_node           | content                  | relevance_score | token_count | detail_depth | role   |
      | project://app/a.py | system instruction one   | 0.9             | 100         | 3            | system |
      | project://app/b.py | system instruction two   | 0.8             | 100         | 3            | system |
      | project://app/c.py | system instruction three | 0.7             | 100         | 3            | system |
    And a budget of 250 tokens
    When the client assembles by "priority_context"
    Then the payload holds "system instruction one", "system instruction two"

  Scenario: Nothing in, nothing out
    Given no fragments
    And a budget of 1000 tokens
    When the client assembles by "priority_context"
    Then the payload is empty

  Scenario: Of equals the newer comes first, however relevant the older
    Given these fragments:
      | uko_node           | content                | relevance_score | token_count | detail_depth | role | created_at           |
      | project://app/a.py | old system instruction | 0.9             | 20          | 3            | user | 2025-01-01T00:00:00Z |
      | project://app/b.py | recent user request    | 0.5             | 20          | 3            | user | 2025-01-31T00:00:00Z |
    And a budget of 1000 tokens
    And "2025-01-31T00:00:00Z" counts as now
    When the client assembles by "priority_context"
    Then the payload holds "recent user request", "old system instruction"

  Scenario: Being new counts for a fifth at most, even from the future
    Given these fragments:
      | uko_node           | content  | relevance_score | token_count | role | created_at           |
      | project://app/a.py | today    | 0.9             | 20          | user | 2025-01-31T00:00:00Z |
      | project://app/b.py | tomorrow | 0.5             | 20          | user | 2025-02-01T00:00:00Z |
      | project://app/c.py | old tool | 0.1             | 20          | tool | 2024-01-01T00:00:00Z |
    And a budget of 1000 tokens
    And "2025-01-31T00:00:00Z" counts as now
    When the client assembles by "priority_context"
    Then the payload holds "old tool", "today", "tomorrow"

  Scenario: Being new halves in seven days
    Given these fragments:
      | uko_node           | content | token_count | created_at           |
      | project://app/a.py | today   | 20          | 2025-01-31T00:00:00Z |
      | project://app/b.py | a week  | 20          | 2025-01-24T00:00:00Z |
      | project://app/c.py | a month | 20          | 2025-01-03T00:00:00Z |
    And a budget of 1000 tokens
    And "2025-01-31T00:00:00Z" counts as now
    And the request asks for the whole trace
    When the client assembles by "priority_context"
    Then the scores of the decisions are:
      | content | score  |
      | today   | 1      |
      | a week  | 0.5    |
      | a month | 0.0625 |
