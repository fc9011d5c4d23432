Feature: A client learns which strategies there are and what they do

  Scenario Outline: The strategy <name> says what it can do
    When the client looks at the strategy "<name>"
    Then these strategies are among them:
      | name   | supports_semantic_search | supports_temporal_archaeology | supports_graph_navigation |
      | <name> | <semantic>               | <temporal>                    | false                     |

    Examples:
      | name             | semantic | temporal |
      | relevance        | true     | false    |
      | recency          | false    | true     |
      | tiered           | false    | false    |
      | priority_context | false    | true     |
      | sliding_window   | false    | true     |

  Scenario: Strategies are ranked by their confidence
    When the client ranks the strategies
    Then the candidates are, highest confidence first, among others:
      | strategy         | confidence |
      | relevance        | 0.8        |
      | priority_context | 0.75       |
      | tiered           | 0.7        |
      | recency          | 0.6        |
      | sliding_window   | 0.5        |

  Scenario: A query changes nothing about the confidence in priorities
    When the client ranks the strategies for "test"
    Then the candidates are, highest confidence first, among others:
      | strategy         | confidence |
      | priority_context | 0.75       |

  Scenario: Each strategy explains itself
    When the client lists the strategies
    Then "relevance" explains that it goes by "relevance score"
    And "recency" explains that it goes by "creation time"
    And "tiered" explains that it goes by "tier priority"
    And "sliding_window" explains that it goes by "sliding"
    And "priority_context" explains that it goes by "priority"

  Scenario: Who names no strategy may choose from all of them
    When the client selects strategies without naming any
    Then the candidates are, highest confidence first, among others:
      | strategy  | confidence |
      | relevance | 0.8        |
      | tiered    | 0.7        |
      | recency   | 0.6        |
    And every strategy that exists is a candidate

  Scenario: Who names strategies gets these, in the same order
    When the client selects the strategies "recency", "relevance"
    Then the candidates are "recency", "relevance"

  Scenario: A look at a strategy that does not exist names those that do
    When the client looks at the strategy "nonexistent"
    Then the call fails with NOT_FOUND
    And the message names "nonexistent", "recency", "relevance", "tiered"

  Scenario: A long list comes page by page
    When the client lists the strategies 2 a page
    Then the pages are:
      | priority_context, recency |
      | relevance, sliding_window |
      | tiered                    |

  Scenario: A list that fits comes at once
    When the client lists the strategies 0 a page
    Then the pages are:
      | priority_context, recency, relevance, sliding_window, tiered |

  Scenario: A page that no list has is refused
    When the client asks for a page of -1 strategies after "no token of ours"
    Then the call is refused for "page_size", "page_token"
