Feature: A payload can be named, checked and traced to its sources

  Background:
    Given these fragments:
      | fragment_id | uko_node              | content | relevance_score | token_count | detail_depth | role      | resource_uri                 |
      | a           | project://app/a.py    | alpha   | 0.9             | 100         | 9            | assistant | project://app/a.py           |
      | ü           | project://app/ümlaut/ | bëta 𝒷  | 0.8             | 50          |              |           | https://example.org/handbook |
    And a budget of 500 tokens

  Scenario: No field of a payload is missing from an answer
    Given a budget of 4096 tokens
    When the client assembles by "relevance"
    Then the payload carries:
      | payload_id      |
      | plan_id         |
      | fragments       |
      | total_tokens    |
      | budget          |
      | budget_used     |
      | strategies_used |
      | context_hash    |
      | provenance_map  |
      | assembled_at    |
    And the payload has no preamble

  Scenario: A payload has its plan, an id and a time
    Given the request is for the plan "01JQTESTPN00000000000000AA"
    When the client assembles by "relevance"
    Then the payload belongs to the plan "01JQTESTPN00000000000000AA"
    And the payload has an id that the server made
    And the payload says that it was assembled just now

  Scenario: Anyone can verify the context hash
    When the client assembles by "relevance"
    Then the payload holds "alpha", "bëta 𝒷"
    And the context hash is what anyone computes from the payload

  Scenario: An empty payload has the hash of nothing
    Given no fragments
    When the client assembles by "relevance"
    Then the context hash is "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

  Scenario: The same context has the same hash
    When the client assembles by "relevance"
    And the client assembles by "relevance"
    Then both payloads have one context hash and an id each

  Scenario: Every fragment is traced to its source
    When the client assembles by "relevance"
    Then the payload maps each fragment to its provenance
    And payload 1 names the resource "project://app/a.py" for "alpha"
    And payload 1 names the resource "https://example.org/handbook" for "bëta 𝒷"

  Scenario: What a caller does to its fragments later does not change the payload
    When the client assembles by "relevance"
    And the client moves its fragment "alpha" to the resource "project://elsewhere"
    And the client assembles by "relevance"
    Then payload 1 names the resource "project://app/a.py" for "alpha"
    And payload 2 names the resource "project://elsewhere" for "alpha"
    And both payloads have one context hash and an id each

  Scenario: Who has the texts at hand asks for ids only
    Given the request asks for ids only
    When the client assembles by "relevance"
    Then the payload holds these ids and no text:
      | fragment_id | token_count |
      | a           | 100         |
      | ü           | 50          |
    And the payload takes 150 of 500 available tokens
