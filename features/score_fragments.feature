Feature: Fragments are scored by more than their relevance
  A composite score weighs relevance, hierarchy, quality and recency. What a fragment does not say counts as a half.

  Scenario: By default the score is made of four parts
    Given these fragments:
      | uko_node              | content | relevance_score | token_count | detail_depth |
      | project://app/main.py | hello   | 0.8             | 10          | 3            |
    When the client scores the fragments
    Then the fragment "hello" comes back with:
      | relevance_score | 0.62                                                                                                    |
      | metadata        | acms.original_relevance=0.8; acms.relevance=0.8; acms.hierarchy=0.5; acms.quality=0.5; acms.recency=0.5 |

  Scenario: Each score comes with its parts
    Given these fragments:
      | uko_node              | content | relevance_score | token_count | detail_depth |
      | project://app/main.py | hello   | 0.8             | 10          | 3            |
      | project://app/io.py   | world   | 0.6             | 15          | 5            |
    When the client scores the fragments
    Then these scores come back:
      | content | composite_score | relevance | hierarchy | quality | recency | original_relevance |
      | hello   | 0.62            | 0.8       | 0.5       | 0.5     | 0.5     | 0.8                |
      | world   | 0.54            | 0.6       | 0.5       | 0.5     | 0.5     | 0.6                |

  Scenario: The caller decides what weighs
    Given these fragments:
      | uko_node              | content | relevance_score | token_count | detail_depth |
      | project://app/main.py | hello   | 1.0             | 10          | 3            |
    When the client scores the fragments by:
      | relevance | 1.0 |
      | hierarchy | 0.0 |
      | quality   | 0.0 |
      | recency   | 0.0 |
    Then the fragment "hello" comes back with:
      | relevance_score | 1.0 |

  Scenario: Weights count by their part in the sum
    Given these fragments:
      | uko_node              | content | relevance_score | token_count |
      | project://app/main.py | hello   | 1.0             | 10          |
    When the client scores the fragments by:
      | relevance | 30 |
      | recency   | 10 |
    Then these scores come back:
      | content | composite_score |
      | hello   | 0.875           |

  Scenario: The metadata says how a fragment stands
    Given these fragments:
      | uko_node              | content | relevance_score | token_count | detail_depth | metadata                                                      |
      | project://app/main.py | hello   | 0.8             | 10          | 3            | hierarchy_weight=0.9; strategy_quality=0.7; recency_bonus=1.0 |
    When the client scores the fragments
    Then these scores come back:
      | content | composite_score | relevance | hierarchy | quality | recency |
      | hello   | 0.83            | 0.8       | 0.9       | 0.7     | 1       |

  Scenario: The best in everything scores one, and not more
    Given these fragments:
      | uko_node              | content | relevance_score | token_count | detail_depth | metadata                                                      |
      | project://app/main.py | hello   | 1.0             | 10          | 3            | hierarchy_weight=1.0; strategy_quality=1.0; recency_bonus=1.0 |
    When the client scores the fragments
    Then the fragment "hello" comes back with:
      | relevance_score | 1.0                                                                                                                                                          |
      | metadata        | hierarchy_weight=1.0; strategy_quality=1.0; recency_bonus=1.0; acms.original_relevance=1; acms.relevance=1; acms.hierarchy=1; acms.quality=1; acms.recency=1 |

  Scenario: What is out of range is clamped, and what is no number counts as not given
    Given these fragments:
      | uko_node              | content | relevance_score | token_count | metadata                                                    |
      | project://app/main.py | hello   | 0.5             | 10          | hierarchy_weight=7; strategy_quality=-2; recency_bonus=soon |
    When the client scores the fragments
    Then these scores come back:
      | content | composite_score | hierarchy | quality | recency |
      | hello   | 0.55            | 1         | 0       | 0.5     |

  Scenario: Nothing in, nothing out
    Given no fragments
    When the client scores the fragments
    Then the client is left with nothing

  Scenario: To score again what was scored changes nothing
    Given these fragments:
      | uko_node              | content | relevance_score | token_count |
      | project://app/main.py | hello   | 0.8             | 10          |
    When the client scores the fragments
    And the client scores again what came back
    Then these scores come back:
      | content | composite_score | original_relevance |
      | hello   | 0.62            | 0.8                |

  Scenario Outline: Weights that <fault> are refused
    Given no fragments
    When the client scores the fragments by:
      | relevance | <relevance> |
      | recency   | <recency>   |
    Then the call is refused for "<path>"

    Examples:
      | fault          | relevance | recency | path              |
      | are negative   | 1.0       | -0.1    | weights.recency   |
      | weigh nothing  | 0         | 0       | weights           |
      | are no numbers | NaN       | 1       | weights.relevance |
