Feature: Several ways to assemble one input are compared
  A client that does not know which strategy or packer serves it best asks for them side by side. No text comes back.

  Background:
    Given these fragments:
      | fragment_id | uko_node             | content | relevance_score | token_count | created_at           |
      | best        | project://app/best   | secret  | 0.9             | 60          | 2024-01-01T00:00:00Z |
      | new         | project://app/new    | secret  | 0.1             | 50          | 2025-01-01T00:00:00Z |
      | both        | project://app/both   | secret  | 0.8             | 30          | 2024-06-01T00:00:00Z |
      | beyond      | project://app/beyond | secret  | 0.0             | 500         | 2023-01-01T00:00:00Z |
    And a budget of 90 tokens

  Scenario: Two strategies are compared
    When the client compares the strategies "relevance", "recency"
    Then the variants come to:
      | label     | selected   | only_here | total_tokens | remaining_tokens | dropped_count | relevance_sum | strategies_used |
      | relevance | best, both | best      | 90           | 0                | 2             | 1.7           | relevance       |
      | recency   | new, both  | new       | 80           | 10               | 2             | 0.9           | recency         |
    And the variants differ on:
      | fragment_id | kept_by |
      | best        | 0       |
      | new         | 1       |
    And all variants keep "both", and none keeps 1
    And no text comes back

  Scenario: A variant is what an assembly of its own is
    When the client compares the strategies "tiered", "recency"
    And the client assembles by "recency"
    Then variant 1 has the context hash of the payload

  Scenario: A packer for value reports how good it is, and every variant has the same measure
    When the client compares the packers "in_order", "optimal"
    Then the variants come to:
      | label    | total_tokens | relevance_sum |
      | in_order | 90           | 1.7           |
      | optimal  | 90           | 1.7           |
    And variant 1 is proven optimal with the value 1.7

  Scenario: A profile is compared under the request's own strategy
    Given the request names the profile "fusion"
    When the client compares:
      | label | strategies          | profile | packer   |
      |       |                     |         |          |
      |       | recency, relevance  | direct  | optimal  |
      | mine  |                     | direct  |          |
    Then the variants come to:
      | label                             | strategies_used    |
      | as_given                          | relevance          |
      | recency+relevance/direct/optimal  | recency, relevance |
      | mine                              | relevance          |

  Scenario: A name that does not exist fails its variant alone
    When the client compares the strategies "nonexistent", "recency"
    Then variant 0 fails with NOT_FOUND for "unknown strategy", naming "nonexistent", "relevance"
    And variant 1 keeps "new", "both"
    And the variants differ on nothing
    And all variants keep "both", "new", and none keeps 2

  Scenario: A component that does not exist fails its variant alone
    When the client compares the packers "none", "optimal"
    Then variant 0 fails with NOT_FOUND for "unknown component", naming "none", "optimal"
    And variant 1 keeps "best", "both"

  Scenario: Pins that do not fit fail each variant by itself
    Given the fragment "beyond" is pinned
    When the client compares the strategies "relevance", "recency"
    Then variant 0 fails with FAILED_PRECONDITION for "pinned over budget", naming "500", "90"
    And variant 1 fails with FAILED_PRECONDITION for "pinned over budget", naming "500", "90"
    And all variants keep nothing, and none keeps 4

  Scenario: An expression that fails when it runs fails its variant alone
    When the client compares the strategies "relevance" and the score "double(fragment.metadata.weight)"
    Then variant 1 fails with INVALID_ARGUMENT for "invalid request", naming "variants[1].strategies[0].expression.score"
    And variant 0 keeps "best", "both"

  Scenario: An expression that cannot be read is a fault of the call
    When the client compares the strategies "relevance" and the score "fragment.nothing"
    Then the call is refused for "variants[1].strategies[0].expression.score"

  Scenario: Every fault of the input and of the variants is reported at once
    Given a budget of 0 tokens
    When the client compares the strategies "", "recency", "recency"
    Then the call is refused for "assemble.budget.max_tokens", "variants[0].strategies[0].name", "variants[2].label"

  Scenario Outline: <count> variants are refused
    When the client compares <count> variants
    Then the call is refused for "variants"

    Examples:
      | count |
      | 0     |
      | 17    |

  Scenario: The order of the input decides nothing
    When the client compares the strategies "relevance", "recency", "tiered"
    And the client compares the same with its fragments the other way round
    Then both comparisons say the same
