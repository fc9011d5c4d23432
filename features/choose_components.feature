Feature: A request chooses how its fragments are fused
  A profile names a component for each stage, and the request may name another for any of them.

  Scenario: Fusion deduplicates, resolves, scores and packs
    Given these fragments:
      | uko_node              | content       | relevance_score | token_count | detail_depth |
      | project://app/main.py | full source   | 0.5             | 100         | 9            |
      | project://app/main.py | full source   | 0.9             | 100         | 9            |
      | project://app/main.py | brief summary | 0.8             | 20          | 2            |
      | project://app/io.py   | io module     | 0.7             | 100         | 5            |
    And a budget of 250 tokens
    And the request names the profile "fusion"
    When the client assembles
    Then the payload holds "full source", "io module"
    And the fragment "full source" comes back with:
      | relevance_score | 0.66 |
    And "brief summary" is dropped as other variant

  Scenario: A deduplicator is named
    Given these fragments:
      | uko_node              | content     | relevance_score | token_count | detail_depth |
      | project://app/main.py | hello world | 0.5             | 10          | 3            |
      | project://app/main.py | hello world | 0.9             | 10          | 3            |
    And a budget of 4096 tokens
    And the request names the deduplicator "content_hash"
    When the client assembles
    Then the payload holds "hello world"
    And the fragment "hello world" comes back with:
      | relevance_score | 0.9 |

  Scenario: A depth resolver is named
    Given these fragments:
      | uko_node              | content  | relevance_score | token_count | detail_depth |
      | project://app/main.py | brief    | 0.8             | 10          | 2            |
      | project://app/main.py | detailed | 0.8             | 50          | 9            |
    And a budget of 4096 tokens
    And the request names the depth resolver "max_depth"
    When the client assembles
    Then the payload holds "detailed"

  Scenario: A scorer is named
    Given these fragments:
      | uko_node              | content | relevance_score | token_count | detail_depth |
      | project://app/main.py | hello   | 0.8             | 10          | 3            |
    And a budget of 4096 tokens
    And the request names the scorer "weighted_composite"
    When the client assembles
    Then the fragment "hello" comes back with:
      | relevance_score | 0.62                                                                                                    |
      | metadata        | acms.original_relevance=0.8; acms.relevance=0.8; acms.hierarchy=0.5; acms.quality=0.5; acms.recency=0.5 |

  Scenario: A packer is named
    Given these fragments:
      | uko_node              | content | relevance_score | token_count | detail_depth |
      | project://app/main.py | alpha   | 0.9             | 100         | 5            |
      | project://app/io.py   | beta    | 0.7             | 100         | 3            |
      | project://app/util.py | gamma   | 0.5             | 100         | 2            |
    And a budget of 250 tokens
    And the request names the packer "greedy_knapsack"
    When the client assembles
    Then the payload holds "alpha", "beta"
    And the payload takes 200 of 250 available tokens

  Scenario: What the request names replaces what the profile has
    Given these fragments:
      | uko_node           | content | relevance_score | token_count | detail_depth |
      | project://app/a.py | alpha   | 0.9             | 100         | 5            |
      | project://app/a.py | alpha   | 0.9             | 100         | 5            |
    And a budget of 250 tokens
    And the request names the profile "fusion"
    And the request names the deduplicator "pass_through"
    And the request names the depth resolver "pass_through"
    And the request names the scorer "pass_through"
    And the request names the packer "in_order"
    When the client assembles
    Then the payload holds "alpha", "alpha"
    And the fragment "alpha" comes back with:
      | relevance_score | 0.9 |

  Scenario: Options go to the components that they are for
    Given these fragments:
      | uko_node           | content | relevance_score | token_count |
      | project://app/a.py | alpha   | 0.9             | 5           |
    And a budget of 250 tokens
    And the request names the profile "fusion"
    And the request sets min_fragment_tokens to 5
    And the request weighs scores by:
      | relevance | 1 |
    When the client assembles
    Then the payload holds "alpha"
    And the fragment "alpha" comes back with:
      | relevance_score | 0.9 |

  Scenario: Fusion keeps to what the strategy prefers
    Given these fragments:
      | uko_node             | content | relevance_score | token_count | created_at           |
      | project://app/old.py | old     | 0.9             | 100         | 2024-01-01T00:00:00Z |
      | project://app/new.py | new     | 0.1             | 100         | 2025-01-01T00:00:00Z |
    And a budget of 150 tokens
    And the request names the profile "fusion"
    When the client assembles by "recency"
    Then the payload holds "new"

  Scenario: A profile that does not exist is answered with those that do
    Given no fragments
    And a budget of 100 tokens
    And the request names the profile "magic"
    When the client assembles
    Then the call fails with NOT_FOUND
    And the message names "magic", "direct", "fusion"

  Scenario Outline: A <stage> that does not exist is answered with those that do
    Given no fragments
    And a budget of 100 tokens
    And the request names the <stage> "magic"
    When the client assembles
    Then the call fails with NOT_FOUND
    And the message names "magic", <known>

    Examples:
      | stage               | known                                |
      | deduplicator        | "content_hash", "cross_node"         |
      | depth resolver      | "max_depth", "pass_through"          |
      | scorer              | "weighted_composite", "pass_through" |
      | packer              | "greedy_knapsack", "in_order"        |
      | orderer             | "strategy"                           |
      | preamble generator  | "provenance", "empty"                |
      | skeleton compressor | "depth_reduction", "unchanged"       |
