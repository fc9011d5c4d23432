Feature: One thing is shown at one depth
  A source can be there as a summary and in full. These are variants of each other, of which the deepest stands for all.

  Scenario: The deepest variant stays
    Given these fragments:
      | uko_node              | content       | relevance_score | token_count | detail_depth |
      | project://app/main.py | brief summary | 0.8             | 10          | 2            |
      | project://app/main.py | full source   | 0.8             | 100         | 9            |
    When the client resolves the depths
    Then the client is left with "full source"
    And "brief summary" is dropped as other variant

  Scenario: Different nodes have no variants of each other
    Given these fragments:
      | uko_node              | content | relevance_score | token_count | detail_depth |
      | project://app/main.py | alpha   | 0.8             | 10          | 2            |
      | project://app/io.py   | beta    | 0.7             | 20          | 5            |
    When the client resolves the depths
    Then the client is left with "alpha", "beta"

  Scenario: Of equally deep variants the more relevant stays
    Given these fragments:
      | uko_node              | content | relevance_score | token_count | detail_depth |
      | project://app/main.py | alpha   | 0.3             | 10          | 5            |
      | project://app/main.py | beta    | 0.9             | 20          | 5            |
    When the client resolves the depths
    Then the client is left with "beta"
    And the fragment "beta" comes back with:
      | relevance_score | 0.9 |

  Scenario: Nothing in, nothing out
    Given no fragments
    When the client resolves the depths
    Then the client is left with nothing

  Scenario: What stays keeps its order
    Given these fragments:
      | uko_node           | content | relevance_score | token_count | detail_depth |
      | project://app/a.py | aaa     | 0.5             | 10          | 3            |
      | project://app/b.py | bbb     | 0.6             | 10          | 3            |
      | project://app/c.py | ccc     | 0.7             | 10          | 3            |
    When the client resolves the depths
    Then the client is left with "aaa", "bbb", "ccc"

  Scenario: Two places in one source are no variants of each other
    Given these fragments:
      | uko_node              | content | token_count | detail_depth | location  |
      | project://app/main.py | start   | 10          | 9            | lines 1-9 |
      | project://app/main.py | middle  | 10          | 5            | lines 10- |
    When the client resolves the depths
    Then the client is left with "start", "middle"

  Scenario: Variants of different nodes are named by a key
    Given these fragments:
      | uko_node               | content     | token_count | detail_depth | variant_key |
      | project://app/main.py  | full source | 100         | 9            | main        |
      | project://docs/main.md | summary     | 10          | 2            | main        |
    When the client resolves the depths
    Then the client is left with "full source"

  Scenario: Messages of one conversation are no variants of each other
    Given these fragments:
      | uko_node      | content  | token_count | role      |
      | chat://room/1 | question | 10          | user      |
      | chat://room/1 | answer   | 10          | assistant |
    When the client resolves the depths
    Then the client is left with "question", "answer"

  Scenario: What another fragment requires stays beside the deepest
    Given these fragments:
      | fragment_id | uko_node              | content       | token_count | detail_depth | requires |
      | brief       | project://app/main.py | brief summary | 10          | 2            |          |
      | full        | project://app/main.py | full source   | 100         | 9            |          |
      | notes       | project://app/io.py   | notes         | 10          | 2            | brief    |
    When the client resolves the depths
    Then the client is left with "brief summary", "full source", "notes"
