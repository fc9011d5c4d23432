Feature: A client runs a stage with a component of its own
  Every stage can be taken over by a client's component, which the request names, or which bears a built-in one's name.

  Scenario: A client's selector is asked even for a named strategy
    Given a client's strategy selector "watched" that chooses what is named
    And these fragments:
      | uko_node           | content | relevance_score | token_count |
      | project://app/a.py | alpha   | 0.9             | 100         |
    And a budget of 500 tokens
    And the request names the strategy selector "watched"
    When the client assembles by "relevance"
    Then the client's strategy selector was asked once
    And the payload was ranked by "relevance"

  Scenario: A named strategy runs though the client's selector leaves it out
    Given a client's strategy selector "by_confidence" that chooses nothing
    And these fragments:
      | uko_node           | content | relevance_score | token_count |
      | project://app/a.py | alpha   | 0.9             | 100         |
      | project://app/b.py | beta    | 0.5             | 100         |
    And a budget of 500 tokens
    When the client assembles by "relevance"
    Then the client's strategy selector was asked once
    And the payload was ranked by "relevance"
    And the payload holds "alpha", "beta"

  Scenario: A strategy that the selector leaves out runs at full confidence
    Given a client's strategy selector "by_confidence" that chooses nothing
    And a client's budget allocator "proportional" that gives away half
    And no fragments
    And a budget of 500 tokens
    When the client assembles by "tiered"
    Then the client's budget allocator saw "tiered" at a confidence of 1.0

  Scenario: A client's allocator decides how much may be spent
    Given a client's budget allocator "half" that gives away half
    And these fragments:
      | uko_node           | content | relevance_score | token_count |
      | project://app/a.py | alpha   | 0.9             | 100         |
      | project://app/b.py | beta    | 0.8             | 200         |
    And a budget of 500 tokens
    And the request names the budget allocator "half"
    When the client assembles by "relevance"
    Then the client's budget allocator was asked once
    And the client's budget allocator had 500 tokens to split
    And the payload holds "alpha"

  Scenario: A client's executor decides the order
    Given a client's strategy executor "backwards" that nominates the last fragment first
    And these fragments:
      | uko_node           | content | relevance_score | token_count |
      | project://app/c.py | gamma   | 0.95            | 50          |
      | project://app/a.py | alpha   | 0.5             | 50          |
      | project://app/b.py | beta    | 0.9             | 50          |
    And a budget of 500 tokens
    And the request names the strategy executor "backwards"
    When the client assembles by "relevance"
    Then the client's strategy executor was asked once
    And the payload holds "beta", "alpha", "gamma"

  Scenario: A client's deduplicator decides what says the same
    Given a client's deduplicator "one_a_node" that keeps one fragment a node
    And these fragments:
      | uko_node           | content | relevance_score | token_count |
      | project://app/a.py | alpha   | 0.9             | 100         |
      | project://app/a.py | alpha2  | 0.5             | 100         |
    And a budget of 500 tokens
    And the request names the deduplicator "one_a_node"
    When the client assembles by "relevance"
    Then the client's deduplicator was asked once
    And the payload holds "alpha"
    And "alpha2" is dropped as duplicate

  Scenario: A client's preamble introduces the payload
    Given a client's preamble generator "counting" that counts the fragments
    And these fragments:
      | uko_node           | content | relevance_score | token_count |
      | project://app/a.py | alpha   | 0.9             | 100         |
    And a budget of 500 tokens
    And the request names the preamble generator "counting"
    When the client assembles by "relevance"
    Then the preamble is "Custom preamble: 1 fragments"

  Scenario: A component that breaks its contract is named
    Given a client's orderer "careless" that loses every fragment
    And these fragments:
      | uko_node           | content | relevance_score | token_count |
      | project://app/a.py | alpha   | 0.9             | 100         |
    And a budget of 500 tokens
    And the request names the orderer "careless"
    And where its orderer fails the request shall fail
    When the client assembles by "relevance"
    Then the call fails with UNAVAILABLE
    And the reason is COMPONENT_UNAVAILABLE with:
      | role      | orderer   |
      | component | careless  |
      | failure   | invariant |

  Scenario: Without a word from the request the built-in one takes the place of a component that breaks its contract
    Given a client's orderer "careless" that loses every fragment
    And these fragments:
      | uko_node           | content | relevance_score | token_count |
      | project://app/a.py | alpha   | 0.9             | 100         |
    And a budget of 500 tokens
    And the request names the orderer "careless"
    When the client assembles by "relevance"
    Then the payload holds "alpha"
    And the payload warns of component_failed_invariant

  Scenario: A component that does not exist is answered with those that do
    Given no fragments
    And a budget of 500 tokens
    And the request names the packer "magic"
    When the client assembles by "relevance"
    Then the call fails with NOT_FOUND
    And the message names "magic", "in_order"
