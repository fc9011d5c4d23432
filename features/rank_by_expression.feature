Feature: A caller's expression says what matters
  Where rules are not enough, an expression over the fragment gives its score, or says whether it is wanted at all.

  Scenario: A score by depth
    Given these fragments:
      | uko_node           | content            | relevance_score | token_count | detail_depth | role   |
      | project://app/a.py | system instruction | 0.9             | 20          | 1            | system |
      | project://app/b.py | user request       | 0.5             | 20          | 9            | user   |
    And a budget of 1000 tokens
    When the client assembles by the priority "double(fragment.detail_depth) * 1.0"
    Then the payload holds "user request", "system instruction"
    And the payload was ranked by "priority_context"

  Scenario: The same score for all keeps all, the more relevant first
    Given these fragments:
      | uko_node           | content            | relevance_score | token_count | detail_depth | role   |
      | project://app/a.py | system instruction | 0.9             | 20          | 3            | system |
      | project://app/b.py | user request       | 0.5             | 20          | 3            | user   |
    And a budget of 1000 tokens
    When the client assembles by the priority "1.0"
    Then the payload holds "system instruction", "user request"

  Scenario: A score that depends on the role
    Given these fragments:
      | uko_node           | content     | relevance_score | token_count | role |
      | project://app/a.py | question    | 1.0             | 20          | user |
      | project://app/b.py | tool result | 0.1             | 20          | tool |
    And a budget of 1000 tokens
    When the client assembles by the score "fragment.role == 'tool' ? 1.0 : fragment.relevance_score * 0.5"
    Then the payload holds "tool result", "question"

  Scenario: A filter leaves out what is not wanted
    Given these fragments:
      | uko_node             | content | relevance_score | token_count | metadata    |
      | project://app/a.py   | code    | 0.9             | 20          | lang=python |
      | project://docs/a.md  | prose   | 0.8             | 20          | lang=text   |
      | project://app/b.py   | more    | 0.7             | 20          | lang=python |
      | project://docs/b.bin | blob    | 0.6             | 20          |             |
    And a budget of 1000 tokens
    When the client assembles by the filter "'lang' in fragment.metadata && fragment.metadata['lang'] == 'python'"
    Then the payload holds "code", "more"
    And "prose" is dropped as not nominated
    And "blob" is dropped as not nominated

  Scenario: A filter and a score together
    Given these fragments:
      | uko_node           | content | relevance_score | token_count | detail_depth |
      | project://app/a.py | shallow | 0.9             | 20          | 1            |
      | project://app/b.py | deep    | 0.5             | 20          | 9            |
      | project://lib/c.py | foreign | 1.0             | 20          | 9            |
    And a budget of 1000 tokens
    When the client assembles by the filter "fragment.uko_node.startsWith('project://app/')" and the score "fragment.detail_depth"
    Then the payload holds "deep", "shallow"

  Scenario: An expression sees the query and the time
    Given these fragments:
      | uko_node           | content      | relevance_score | token_count | created_at           |
      | project://app/a.py | about budget | 0.1             | 20          | 2024-01-01T00:00:00Z |
      | project://app/b.py | about time   | 0.9             | 20          | 2024-01-01T00:00:00Z |
      | project://app/c.py | news         | 0.5             | 20          | 2025-01-31T00:00:00Z |
    And a budget of 1000 tokens
    And "2025-01-31T00:00:00Z" counts as now
    And the query "budget"
    When the client assembles by the score "(fragment.content.contains(query) ? 2.0 : 0.0) + (age_days < 1.0 ? 1.0 : 0.0)"
    Then the payload holds "about budget", "news", "about time"

  Scenario: An expression is registered under a name
    Given these fragments:
      | uko_node           | content | relevance_score | token_count | detail_depth |
      | project://app/a.py | shallow | 0.9             | 20          | 1            |
      | project://app/b.py | deep    | 0.5             | 20          | 9            |
    And a budget of 1000 tokens
    When the client registers "deepest_first" as the score "fragment.detail_depth"
    And the client looks at the strategy "deepest_first"
    Then the strategy stands for the score "fragment.detail_depth"
    When the client assembles by "deepest_first"
    Then the payload holds "deep", "shallow"
    And the payload was ranked by "deepest_first"

  Scenario Outline: <fault> is refused with its place
    Given no fragments
    And a budget of 1000 tokens
    When the client assembles by <settings>
    Then the call is refused for "strategies[0].<field>"
    When the client registers "own" as <settings>
    Then the call is refused for "strategy.<field>"

    Examples:
      | fault                       | settings                           | field                     |
      | What is no expression       | the score "fragment.role =="       | expression.score          |
      | A field that does not exist | the score "fragment.mood"          | expression.score          |
      | A text for a score          | the priority "fragment.role"       | priority.score_expression |
      | A number for a filter       | the filter "fragment.detail_depth" | expression.where          |
      | An unknown function         | the score "shell('rm')"            | expression.score          |

  Scenario: Neither a filter nor a score is not enough
    Given no fragments
    And a budget of 1000 tokens
    When the client assembles by the filter "" and the score ""
    Then the call is refused for "strategies[0].expression"

  Scenario: An expression that fails on a fragment names it
    Given these fragments:
      | uko_node           | content | token_count | metadata |
      | project://app/a.py | tagged  | 20          | rank=2   |
      | project://app/b.py | plain   | 20          |          |
    And a budget of 1000 tokens
    When the client assembles by the score "double(fragment.metadata['rank'])"
    Then the call fails with INVALID_ARGUMENT
    And the message names "fragments[1]"
