Feature: A payload belongs to a plan
  A plan id is a ULID in capitals. Anything else is refused, so that an id is safe wherever it is put.

  Background:
    Given these fragments:
      | uko_node           | content | relevance_score | token_count |
      | project://app/a.py | alpha   | 0.9             | 100         |
    And a budget of 500 tokens

  Scenario: The caller's plan is named in the payload
    Given the request is for the plan "01JQTESTPN00000000000000AA"
    When the client assembles
    Then the payload belongs to the plan "01JQTESTPN00000000000000AA"

  Scenario: A request without a plan gets one
    When the client assembles
    Then the payload belongs to a plan that the server named

  Scenario Outline: A plan id that <fault> is refused
    Given the request is for the plan "<plan_id>"
    When the client assembles
    Then the call is refused for "plan_id"
    And the message names "ULID"

    Examples:
      | fault                           | plan_id                     |
      | is empty                        |                             |
      | has 25 characters               | 01JQTESTPN0000000000000AA   |
      | has 27 characters               | 01JQTESTPN000000000000000AA |
      | has small letters               | 01jqtestpn00000000000000aa  |
      | has the letter I                | 01JQTESTPN000000000000I0AA  |
      | has the letter L                | 01JQTESTPN000000000000L0AA  |
      | has the letter O                | 01JQTESTPN000000000000O0AA  |
      | has the letter U                | 01JQTESTPN000000000000U0AA  |
      | climbs to a parent folder       | 01JQTESTPN0000000/../00AAA  |
      | has a slash                     | 01JQTESTPN00000/0000000AAA  |
      | begins above what 128 bits hold | 81JQTESTPN00000000000000AA  |

  Scenario: A blank plan id is refused
    Given the request is for the plan "   "
    When the client assembles
    Then the call is refused for "plan_id"
    And the message names "ULID"

  Scenario: A bad plan id is refused before any stage runs
    Given a client's strategy selector "watched" that chooses what is named
    And the request names the strategy selector "watched"
    And the request is for the plan "not-a-valid-ulid"
    When the client assembles by "relevance"
    Then the call is refused for "plan_id"
    And the message names "ULID", "not-a-valid-ulid"
    And the client's strategy selector was never asked
