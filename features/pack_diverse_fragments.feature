Feature: What enters says something that is not there yet
  The packer takes the fragment with the best of lambda x score - (1 - lambda) x similarity to what is in.

  Background:
    Given these fragments:
      | fragment_id | uko_node          | content       | relevance_score | token_count | vector |
      | door-1      | faq://doors/1     | open the door | 0.9             | 10          | 1, 0   |
      | door-2      | faq://doors/2     | use the key   | 0.8             | 10          | 1, 0.1 |
      | window      | faq://windows/1   | air the room  | 0.5             | 10          | 0, 1   |
    And a budget of 20 tokens
    And the request names the packer "diverse"

  Scenario: What is like something better gives way to something else
    When the client assembles by "relevance"
    Then the payload holds "open the door", "air the room"
    And "use the key" is dropped as over budget

  Scenario Outline: With lambda <lambda> the payload holds <held>
    Given the request sets diversity_lambda to <lambda>
    When the client assembles by "relevance"
    Then the payload holds <held>

    Examples:
      | lambda | held                            |
      | 1      | "open the door", "use the key"  |
      | 0.5    | "open the door", "air the room" |
      | 0      | "open the door", "air the room" |

  Scenario: Without vectors the texts are compared
    Given these fragments:
      | fragment_id | uko_node        | content                                     | relevance_score | token_count |
      | a           | wiki://news/1   | the build is green again since the last fix | 0.9             | 10          |
      | b           | wiki://news/2   | the build is green again since the last run | 0.8             | 10          |
      | c           | wiki://news/3   | nobody has looked at the nightly tests      | 0.6             | 10          |
    When the client assembles by "relevance"
    Then the payload holds "the build is green again since the last fix", "nobody has looked at the nightly tests"

  Scenario: Vectors help to choose, and do not come back
    When the client assembles by "relevance"
    Then no fragment of the payload has a vector

  Scenario: The stage by itself compares vectors too
    Given the request sets diversity_lambda to 0.5
    When the client packs the fragments with "diverse"
    Then the client is left with "open the door", "air the room"

  Scenario: Vectors of two lengths cannot be compared
    Given these fragments:
      | uko_node        | content       | token_count | vector  |
      | faq://doors/1   | open the door | 10          | 1, 0    |
      | faq://windows/1 | air the room  | 10          | 1, 0, 0 |
    When the client assembles by "relevance"
    Then the call is refused for "fragments[1].vector"
