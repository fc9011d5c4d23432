Feature: The payload is put into the order in which it is best read

  Background:
    Given these fragments:
      | uko_node           | content     | relevance_score | token_count | created_at           | location | role   |
      | project://app/b.py | b, line 100 | 0.9             | 10          | 2025-01-03T00:00:00Z | L100     |        |
      | project://app/a.py | a, line 20  | 0.8             | 10          | 2025-01-04T00:00:00Z | L20      |        |
      | project://app/b.py | b, line 9   | 0.7             | 10          | 2025-01-01T00:00:00Z | L9       |        |
      | project://rules    | rules       | 0.6             | 10          | 2025-01-05T00:00:00Z |          | system |
      | project://app/a.py | a, line 3   | 0.5             | 10          | 2025-01-02T00:00:00Z | L3       |        |
    And a budget of 100 tokens

  Scenario Outline: The orderer <orderer> reads <how>
    Given the request names the orderer "<orderer>"
    When the client assembles by "relevance"
    Then the payload holds <contents>

    Examples:
      | orderer       | how                                 | contents                                                       |
      | strategy      | as the strategies ranked            | "b, line 100", "a, line 20", "b, line 9", "rules", "a, line 3" |
      | source        | resources from start to end         | "a, line 3", "a, line 20", "b, line 9", "b, line 100", "rules" |
      | chronological | from old to new                     | "b, line 9", "a, line 3", "b, line 100", "a, line 20", "rules" |
      | edges         | the best at both ends               | "b, line 100", "b, line 9", "a, line 3", "rules", "a, line 20" |
      | stable        | what changes rarely before the rest | "rules", "b, line 9", "a, line 3", "b, line 100", "a, line 20" |

  Scenario Outline: A call stands before its results, whatever the order: <orderer>
    Given these fragments:
      | fragment_id | uko_node   | content | relevance_score | token_count | created_at           | group_id |
      | r           | chat://1/z | result  | 0.9             | 10          | 2025-01-03T00:00:00Z | g        |
      | m           | chat://1/m | message | 0.5             | 10          | 2025-01-02T00:00:00Z |          |
      | c           | chat://1/a | call    | 0.1             | 10          | 2025-01-01T00:00:00Z | g        |
    And the request names the orderer "<orderer>"
    When the client assembles by "relevance"
    Then the payload holds "call", "result", "message"

    Examples:
      | orderer       |
      | source        |
      | chronological |
      | edges         |
      | stable        |

  Scenario: Fragments are ordered without being assembled
    When the client orders the fragments with "source"
    Then the client is left with "a, line 3", "a, line 20", "b, line 9", "b, line 100", "rules"

  Scenario: The order of the input decides nothing between equal times, but where it is age
    Given these fragments:
      | uko_node | content | token_count | created_at           |
      | n://2    | second  | 10          | 2025-01-01T00:00:00Z |
      | n://1    | first   | 10          | 2025-01-01T00:00:00Z |
    When the client orders the fragments with "chronological"
    Then the client is left with "second", "first"
    When the client orders the fragments with "stable"
    Then the client is left with "first", "second"
