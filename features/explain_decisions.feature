Feature: Every fragment's fate is explained

  Scenario: What the budget kept out says how many tokens it lacked
    Given these fragments:
      | uko_node           | content | relevance_score | token_count |
      | project://app/a.py | A       | 0.9             | 50          |
      | project://app/b.py | B       | 0.8             | 25          |
      | project://app/c.py | C       | 0.7             | 30          |
    And a budget of 60 tokens
    When the client assembles by "relevance"
    Then the payload holds "A"
    And these are dropped for the budget:
      | content | tokens_missing |
      | B       | 15             |
      | C       | 45             |

  Scenario Outline: With <max> tokens the payload is <contents>
    Given these fragments:
      | uko_node           | content | relevance_score | token_count |
      | project://app/a.py | A       | 0.9             | 50          |
      | project://app/b.py | B       | 0.8             | 25          |
      | project://app/c.py | C       | 0.7             | 30          |
    And a budget of <max> tokens
    When the client assembles by "relevance"
    Then the payload holds <contents>

    Examples:
      | max | contents      |
      | 74  | "A"           |
      | 75  | "A", "B"      |
      | 104 | "A", "B"      |
      | 105 | "A", "B", "C" |

  Scenario: Each fragment has exactly one decision
    Given these fragments:
      | fragment_id | uko_node           | content | relevance_score | token_count | pinned | requires |
      | a           | project://app/a.py | alpha   | 0.9             | 50          |        | c        |
      | b           | project://app/b.py | beta    | 0.8             | 500         |        |          |
      | c           | project://app/c.py | gamma   | 0.1             | 10          |        |          |
      | d           | project://app/d.py | delta   | 0.2             | 10          | yes    |          |
    And a budget of 100 tokens
    And the request asks for the whole trace
    When the client assembles by "relevance"
    Then every fragment has one decision, and they add up
    And "alpha" is kept as chosen
    And "gamma" is kept as required
    And "delta" is kept as pinned
    And "beta" is dropped as over budget
