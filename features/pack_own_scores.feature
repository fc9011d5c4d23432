Feature: Who has scores of one's own packs by them
  A scored fragment names its score and, if it likes, how the score came about. Neither is computed anew.

  Scenario: A score and its parts come back as they were given
    Given these scored fragments:
      | fragment_id | uko_node              | content | token_count | composite_score | relevance | hierarchy | quality | recency |
      | main        | project://app/main.py | hello   | 10          | 0.85            | 0.9       | 0.8       | 0.7     | 1.0     |
    And a budget of 100 tokens
    When the client packs the fragments
    Then these scores come back:
      | fragment_id | uko_node              | content | token_count | composite_score | relevance | hierarchy | quality | recency |
      | main        | project://app/main.py | hello   | 10          | 0.85            | 0.9       | 0.8       | 0.7     | 1       |

  Scenario: The score decides, whatever the relevance
    Given these scored fragments:
      | uko_node              | content | relevance_score | token_count | composite_score |
      | project://app/main.py | alpha   | 1.0             | 100         | 0.2             |
      | project://app/io.py   | beta    | 0.0             | 100         | 0.8             |
    And a budget of 150 tokens
    When the client packs the fragments
    Then the client is left with "beta"

  Scenario Outline: A score of <score> is refused
    Given these scored fragments:
      | uko_node              | content | token_count | composite_score |
      | project://app/main.py | hello   | 10          | <score>         |
    And a budget of 100 tokens
    When the client packs the fragments
    Then the call is refused for "scored[0].composite_score"

    Examples:
      | score |
      | 1.5   |
      | -0.1  |
      | NaN   |

  Scenario: Every fault of scored fragments is named
    Given these scored fragments:
      | uko_node              | content | token_count | composite_score | relevance | hierarchy | quality | recency | original_relevance |
      | project://app/main.py | hello   | 10          | 0.5             | 0.5       | 1.5       | 0.5     | 0.5     | 2                  |
      | project://app/io.py   | world   | -1          | 0.5             | 0.5       | 0.5       | 0.5     | 0.5     | 0.5                |
    And a budget of 0 tokens
    When the client packs the fragments
    Then the call is refused for "budget.max_tokens", "scored[0].components.hierarchy", "scored[0].original_relevance", "scored[1].fragment.token_count"

  Scenario: Scored fragments and others do not mix
    Given these scored fragments:
      | uko_node              | content | token_count | composite_score |
      | project://app/main.py | hello   | 10          | 0.5             |
    And these fragments:
      | uko_node            | content | token_count |
      | project://app/io.py | world   | 10          |
    And a budget of 100 tokens
    When the client packs the fragments
    Then the call is refused for "fragments"
