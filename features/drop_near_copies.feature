Feature: What says nearly the same is kept once
  Two texts are as similar as the share of their shingles, three words in a row each, that both have. Of those that are at least as similar
  as the threshold the more relevant stays.

  Background:
    Given these fragments:
      | fragment_id | uko_node         | content                                      | relevance_score | token_count |
      | draft       | wiki://news/1    | the build is green again since the last fix  | 0.5             | 10          |
      | final       | mail://inbox/7   | The build is green again since the last fix! | 0.8             | 11          |
      | reply       | mail://inbox/8   | the build is red again since the last fix    | 0.4             | 10          |
      | other       | project://app/ci | runs every night at two                      | 0.1             | 6           |

  Scenario: Of nearly equal texts of two nodes one is kept, and the other names it
    When the client deduplicates the fragments with "near_duplicate"
    Then the client is left with "The build is green again since the last fix!", "the build is red again since the last fix", "runs every night at two"
    And "the build is green again since the last fix" is dropped as too similar
    And "the build is green again since the last fix" went in favour of "final"

  Scenario Outline: With the threshold <threshold>, <kept> of four are kept
    Given a budget of 100 tokens
    And the request names the deduplicator "near_duplicate"
    And the request sets similarity_threshold to <threshold>
    When the client assembles by "relevance"
    Then the payload holds <kept>

    Examples:
      | threshold | kept                                                                                                                                                                      |
      | 0.9       | "The build is green again since the last fix!", "the build is green again since the last fix", "the build is red again since the last fix", "runs every night at two"     |
      | 0.8       | "The build is green again since the last fix!", "the build is red again since the last fix", "runs every night at two"                                                    |
      | 0.3       | "The build is green again since the last fix!", "runs every night at two"                                                                                                 |

  Scenario: A threshold of nothing is refused
    Given a budget of 100 tokens
    And the request sets similarity_threshold to 0
    When the client assembles by "relevance"
    Then the call is refused for "pipeline.options.similarity_threshold"
