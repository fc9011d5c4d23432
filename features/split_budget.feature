Feature: Strategies share a budget to the last token
  Each gets its part by confidence. What rounding leaves goes to the largest remainders, so that no token is lost.

  Scenario: The more confident gets the more
    When 1000 tokens are split by 0.8, 0.2
    Then the shares are 800, 200
    And the shares add up to 1000

  Scenario: Equals share an odd budget
    When 999 tokens are split by 0.5, 0.5, 0.5
    Then the shares are 333, 333, 333
    And the shares add up to 999

  Scenario: Those without any confidence share equally
    When 100 tokens are split by 0, 0, 0
    Then the shares are 34, 33, 33
    And the shares add up to 100

  Scenario: Different parts of a small budget
    When 10 tokens are split by 0.5, 0.3, 0.2
    Then the shares are 5, 3, 2
    And the shares add up to 10

  Scenario Outline: <tokens> tokens are split by <confidences>
    When <tokens> tokens are split by <confidences>
    Then the shares are <shares>

    Examples:
      | tokens | confidences        | shares        |
      | 7      | 0.1, 0.2, 0.3, 0.4 | 1, 1, 2, 3    |
      | 1001   | 33, 33, 34         | 330, 330, 341 |
