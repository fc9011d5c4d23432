Feature: The best fragments that fit are packed
  The packer goes by score, highest first, and skips what does not fit.

  Scenario: What does not fit beside the better ones stays out
    Given these fragments:
      | uko_node              | content | relevance_score | token_count | detail_depth |
      | project://app/main.py | alpha   | 0.9             | 100         | 5            |
      | project://app/io.py   | beta    | 0.7             | 100         | 3            |
      | project://app/util.py | gamma   | 0.5             | 100         | 2            |
    And a budget of 250 tokens
    When the client packs the fragments
    Then the client is left with "alpha", "beta"
    And they take 200 tokens
    And "gamma" is dropped as over budget

  Scenario: Where there is room for all, all are packed
    Given these fragments:
      | uko_node              | content | relevance_score | token_count | detail_depth |
      | project://app/main.py | alpha   | 0.9             | 50          | 5            |
      | project://app/io.py   | beta    | 0.7             | 50          | 3            |
    And a budget of 200 tokens
    When the client packs the fragments
    Then the client is left with "alpha", "beta"

  Scenario: Nothing in, nothing out
    Given no fragments
    And a budget of 1000 tokens
    When the client packs the fragments
    Then the client is left with nothing
    And they take 0 tokens

  Scenario: Reserved tokens are not packed into
    Given these fragments:
      | uko_node              | content | relevance_score | token_count | detail_depth |
      | project://app/main.py | alpha   | 0.9             | 100         | 5            |
      | project://app/io.py   | beta    | 0.7             | 100         | 3            |
    And a budget of 250 tokens, 100 of them reserved
    When the client packs the fragments
    Then the client is left with "alpha"
    And they take 100 tokens

  Scenario: The higher score is preferred
    Given these fragments:
      | uko_node              | content | relevance_score | token_count | detail_depth |
      | project://app/main.py | alpha   | 0.3             | 100         | 5            |
      | project://app/io.py   | beta    | 0.9             | 100         | 3            |
    And a budget of 150 tokens
    When the client packs the fragments
    Then the client is left with "beta"

  Scenario: A fragment larger than the whole budget stays out
    Given these fragments:
      | uko_node              | content      | relevance_score | token_count | detail_depth |
      | project://app/main.py | huge content | 0.9             | 10000       | 9            |
    And a budget of 100 tokens
    When the client packs the fragments
    Then the client is left with nothing

  Scenario: Scraps are not worth a place
    Given these fragments:
      | uko_node              | content | relevance_score | token_count | detail_depth |
      | project://app/main.py | a       | 0.9             | 5           | 3            |
      | project://app/io.py   | beta    | 0.7             | 50          | 3            |
    And a budget of 1000 tokens
    When the client packs the fragments
    Then the client is left with "beta"
    And "a" is dropped as below minimum tokens

  Scenario: The caller decides what a scrap is
    Given these fragments:
      | uko_node              | content | relevance_score | token_count |
      | project://app/main.py | a       | 0.9             | 5           |
      | project://app/io.py   | beta    | 0.7             | 50          |
    And a budget of 1000 tokens
    And the request sets min_fragment_tokens to 5
    When the client packs the fragments
    Then the client is left with "a", "beta"

  Scenario: A short message is no scrap
    Given these fragments:
      | uko_node      | content | relevance_score | token_count | role |
      | chat://room/1 | yes     | 0.5             | 1           | user |
    And a budget of 1000 tokens
    When the client packs the fragments
    Then the client is left with "yes"

  Scenario: Where the full text does not fit, a shorter variant takes its place
    Given these fragments:
      | uko_node              | content          | relevance_score | token_count | detail_depth |
      | project://app/main.py | full source code | 0.9             | 500         | 9            |
      | project://app/main.py | brief summary    | 0.5             | 50          | 2            |
      | project://app/io.py   | io module        | 0.7             | 100         | 5            |
    And a budget of 200 tokens
    When the client packs the fragments
    Then the client is left with "io module", "brief summary"
    And the fragment "brief summary" comes back with:
      | uko_node     | project://app/main.py |
      | detail_depth | 2                     |

  Scenario: A shorter variant stands at the rank of the deepest
    Given these fragments:
      | uko_node           | content | relevance_score | token_count | detail_depth |
      | project://app/x.py | X9      | 0.9             | 500         | 9            |
      | project://app/x.py | X2      | 0.5             | 100         | 2            |
      | project://app/y.py | Y       | 0.6             | 100         | 0            |
    And a budget of 150 tokens
    When the client packs the fragments
    Then the client is left with "X2"

  Scenario: What is too little relevant stays out
    Given these fragments:
      | uko_node              | content | relevance_score | token_count |
      | project://app/main.py | alpha   | 0.9             | 50          |
      | project://app/io.py   | beta    | 0.29            | 50          |
      | project://app/util.py | gamma   | 0.3             | 50          |
    And a budget of 1000 tokens
    And the request sets min_relevance to 0.3
    When the client packs the fragments
    Then the client is left with "alpha", "gamma"
    And "beta" is dropped as below minimum value

  Scenario: Another packer is named
    Given these fragments:
      | uko_node              | content | relevance_score | token_count |
      | project://app/main.py | alpha   | 0.3             | 100         |
      | project://app/io.py   | beta    | 0.9             | 100         |
    And a budget of 150 tokens
    When the client packs the fragments with "in_order"
    Then the client is left with "alpha"

  Scenario: A pinned fragment is packed, or the call fails with both numbers
    Given these fragments:
      | uko_node              | content | relevance_score | token_count | pinned |
      | project://app/main.py | alpha   | 0.1             | 100         | yes    |
      | project://app/io.py   | beta    | 0.9             | 100         |        |
    And a budget of 150 tokens
    When the client packs the fragments
    Then the client is left with "alpha"
    When the client packs the fragments into 99 tokens
    Then the call fails with FAILED_PRECONDITION
    And the reason is PINNED_OVER_BUDGET with:
      | needed_tokens    | 100 |
      | available_tokens | 99  |
