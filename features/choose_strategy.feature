Feature: The strategy decides what comes first
  A request names the strategies that rank its fragments; without a name they are ranked by relevance.

  Scenario: By relevance the most relevant come first
    Given these fragments:
      | uko_node                 | content | relevance_score | token_count |
      | project://app/file.py    | alpha   | 0.9             | 100         |
      | project://app/decision/1 | beta    | 0.3             | 100         |
      | project://app/resource/1 | gamma   | 0.7             | 100         |
    And a budget of 250 tokens
    When the client assembles by "relevance"
    Then the payload holds "alpha", "gamma"

  Scenario: By recency the newest come first
    Given these fragments:
      | uko_node             | content | token_count | created_at                |
      | project://app/old.py | old     | 100         | 2024-01-01T00:00:00+00:00 |
      | project://app/mid.py | mid     | 100         | 2024-06-01T00:00:00+00:00 |
      | project://app/new.py | new     | 100         | 2025-01-01T00:00:00+00:00 |
    And a budget of 200 tokens
    When the client assembles by "recency"
    Then the payload holds "new", "mid"

  Scenario: By tier the hot come first, however relevant the cold
    Given these fragments:
      | uko_node              | content   | relevance_score | token_count | tier |
      | project://app/cold.py | cold-item | 0.9             | 100         | cold |
      | project://app/hot.py  | hot-item  | 0.85            | 100         | hot  |
      | project://app/warm.py | warm-item | 0.8             | 100         | warm |
    And a budget of 200 tokens
    When the client assembles by "tiered"
    Then the payload holds "hot-item", "warm-item"

  Scenario: The payload names the strategy that ranked it
    Given these fragments:
      | uko_node           | content | relevance_score | token_count |
      | project://app/a.py | a       | 0.9             | 100         |
    And a budget of 500 tokens
    When the client assembles by "tiered"
    Then the payload was ranked by "tiered"

  Scenario: Without a name the fragments are ranked by relevance
    Given these fragments:
      | uko_node               | content | relevance_score | token_count |
      | project://app/beta.py  | beta    | 0.3             | 100         |
      | project://app/alpha.py | alpha   | 0.9             | 100         |
    And a budget of 250 tokens
    When the client assembles
    Then the payload was ranked by "relevance"
    And the payload holds "alpha", "beta"

  Scenario: A strategy that does not exist is answered with those that do
    Given these fragments:
      | uko_node               | content | relevance_score | token_count |
      | project://app/alpha.py | alpha   | 0.9             | 100         |
    And a budget of 4096 tokens
    When the client assembles by "nonexistent"
    Then the call fails with NOT_FOUND
    And the message names "nonexistent", "recency", "relevance", "tiered"

  Scenario: Several strategies waste nothing
    Given these fragments:
      | uko_node           | content | relevance_score | token_count |
      | project://app/a.py | one     | 0.9             | 800         |
    And a budget of 1000 tokens
    When the client assembles by "relevance", "recency"
    Then the payload holds "one"

  Scenario: Several strategies each bring their own, the first one's choices first
    Given these fragments:
      | uko_node              | content  | relevance_score | token_count | created_at           |
      | project://app/best.py | relevant | 0.9             | 100         | 2024-01-01T00:00:00Z |
      | project://app/new.py  | recent   | 0.1             | 100         | 2025-01-01T00:00:00Z |
      | project://app/mid.py  | neither  | 0.5             | 100         | 2024-06-01T00:00:00Z |
    And a budget of 200 tokens
    When the client assembles by "relevance", "recency"
    Then the payload holds "relevant", "recent"
    And the payload was ranked by "relevance", "recency"

  Scenario: Only strategies that brought something are named
    Given these fragments:
      | uko_node              | content  | relevance_score | token_count | created_at           |
      | project://app/best.py | relevant | 0.9             | 40          | 2024-01-01T00:00:00Z |
      | project://app/new.py  | recent   | 0.1             | 80          | 2025-01-01T00:00:00Z |
    And a budget of 100 tokens
    When the client assembles by "relevance" and the filter "fragment.content == 'recent'"
    Then the payload holds "relevant"
    And the payload was ranked by "relevance"

  Scenario: A strategy's confidence decides its share
    Given these fragments:
      | uko_node              | content  | relevance_score | token_count | created_at           |
      | project://app/best.py | relevant | 0.9             | 60          | 2024-01-01T00:00:00Z |
      | project://app/new.py  | recent   | 0.1             | 60          | 2025-01-01T00:00:00Z |
    And a budget of 100 tokens
    When the client assembles by these strategies:
      | name      | confidence |
      | relevance | 0.3        |
      | recency   | 0.7        |
    Then the payload holds "recent"

  Scenario: A strategy without any confidence is not asked
    Given these fragments:
      | uko_node              | content  | relevance_score | token_count |
      | project://app/best.py | relevant | 0.9             | 60          |
    And a budget of 100 tokens
    When the client assembles by these strategies:
      | name      | confidence |
      | relevance | 0          |
      | tiered    | 0.7        |
    Then the payload was ranked by "tiered"

  Scenario: A strategy is named once
    Given no fragments
    And a budget of 100 tokens
    When the client assembles by "relevance", "relevance"
    Then the call is refused for "strategies[1].name"

  Scenario: In fusion several strategies make one score
    Given these fragments:
      | uko_node              | content  | relevance_score | token_count | created_at           |
      | project://app/best.py | relevant | 0.9             | 60          | 2024-01-01T00:00:00Z |
      | project://app/new.py  | recent   | 0.1             | 60          | 2025-01-01T00:00:00Z |
    And a budget of 1000 tokens
    And the request names the profile "fusion"
    And the request names the scorer "pass_through"
    And the request asks for the whole trace
    When the client assembles by these strategies:
      | name      | confidence |
      | relevance | 0.5        |
      | recency   | 0.5        |
    Then the payload was ranked by "relevance", "recency"
    And the scores of the decisions are:
      | content  | score |
      | relevant | 0.7   |
      | recent   | 0.55  |
