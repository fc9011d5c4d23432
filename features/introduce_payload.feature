Feature: A payload introduces itself
  A preamble says where the context comes from. It is paid from the same budget, of which it gets a tenth, and no more than 128 tokens.

  Background:
    Given these fragments:
      | uko_node           | content | relevance_score | token_count |
      | project://app/a.py | alpha   | 0.9             | 100         |
      | project://app/a.py | beta    | 0.8             | 100         |
      | project://app/b.py | gamma   | 0.7             | 100         |
      | project://app/c.py | huge    | 0.6             | 5000        |

  Scenario: The preamble names strategies, sources and what was left out
    Given a budget of 1000 tokens
    And the request names the preamble generator "provenance"
    When the client assembles by "relevance"
    Then the payload holds "alpha", "beta", "gamma"
    And the preamble reads:
      """
      Context: 3 fragments chosen by relevance.
      Sources: project://app/a.py (2), project://app/b.py (1).
      Left out: 1 fragment (over budget 1).
      """
    And the preamble takes 34 tokens

  Scenario: Tokens for the preamble are set aside before anything is packed
    Given a budget of 329 tokens
    And the request names the preamble generator "provenance"
    When the client assembles by "relevance"
    Then the payload holds "alpha", "beta"
    And the payload is within its budget

  Scenario: A preamble that is too long is cut
    Given a budget of 200 tokens
    And the request names the preamble generator "provenance"
    When the client assembles by "relevance"
    Then the payload holds "alpha"
    And the preamble takes 20 tokens
    And the payload warns of preamble_cut

  Scenario: Fusion has no preamble unless it is asked for
    Given a budget of 1000 tokens
    And the request names the profile "fusion"
    When the client assembles by "relevance"
    Then the payload has no preamble

  Scenario: A preamble by itself
    When the client introduces the fragments
    Then the introduction reads:
      """
      Context: 4 fragments.
      Sources: project://app/a.py (2), project://app/b.py (1), project://app/c.py (1).
      """
    When the client introduces the fragments in 5 tokens
    Then the introduction reads:
      """
      Context: 4 fragments
      """

  Scenario: Fragments by themselves stay in the order that they have
    When the client orders the fragments
    Then the client is left with "alpha", "beta", "gamma", "huge"
