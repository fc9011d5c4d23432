Feature: Parts of the budget are kept for what must not be crowded out
  A section selects fragments by tier, role, group or metadata. Its floor is filled before anything else competes, its cap is never passed.

  Background:
    Given these fragments:
      | uko_node            | content | relevance_score | token_count | tier | role |
      | project://memory/1  | note 1  | 0.2             | 60          | cold |      |
      | project://memory/2  | note 2  | 0.1             | 60          | cold |      |
      | project://app/a.py  | file a  | 0.9             | 100         | hot  |      |
      | project://app/b.py  | file b  | 0.8             | 100         | hot  |      |
      | project://run/log   | output  | 0.7             | 50          | warm | tool |
    And the request asks for the whole trace

  Scenario: A floor takes what fits in it, and the rest goes as ever
    Given a budget of 200 tokens
    And of the budget these sections:
      | section   | floor | cap |
      | tier cold | 100   |     |
    When the client assembles by "relevance"
    Then the payload holds "file a", "note 1"
    And the payload takes 160 of 200 available tokens
    And every fragment has one decision, and they add up

  Scenario: A cap keeps out what would fit
    Given a budget of 1000 tokens
    And of the budget these sections:
      | section  | floor | cap |
      | tier hot |       | 150 |
    When the client assembles by "relevance"
    Then the payload holds "file a", "output", "note 1", "note 2"
    And "file b" is dropped as section cap

  Scenario: Shares of the available tokens stand for numbers
    Given a budget of 400 tokens, 200 of them reserved
    And of the budget these sections:
      | section   | floor | cap |
      | tier cold | 30%   |     |
      | tier hot  |       | 49% |
    When the client assembles by "relevance"
    Then the payload holds "output", "note 1", "note 2"
    And "file a" is dropped as over budget

  Scenario Outline: The <packer> packer keeps floors and caps, too
    Given a budget of 250 tokens
    And the request names the packer "<packer>"
    And of the budget these sections:
      | section   | floor | cap |
      | role tool | 50    |     |
      | tier hot  |       | 199 |
    When the client assembles by "relevance"
    Then the payload holds "file a", "output", "note 1"

    Examples:
      | packer          |
      | greedy_knapsack |
      | relaxation      |
      | optimal         |

  Scenario: Floors that cannot hold together are refused with the numbers
    Given a budget of 200 tokens
    And of the budget these sections:
      | section   | floor | cap |
      | tier cold | 120   |     |
      | tier hot  | 100   |     |
    When the client assembles
    Then the call is refused for "budget.sections"
    And the message names "220", "200"

  Scenario: A floor above its cap is refused
    Given a budget of 200 tokens
    And of the budget these sections:
      | section   | floor | cap |
      | tier cold | 120   | 100 |
    When the client assembles
    Then the call is refused for "budget.sections[0]"
    And the message names "120", "100"
