Feature: Fragments come back as they were described
  A fragment needs little more than its node. What the caller leaves out gets its default, and what it says is kept.

  Scenario: What a caller leaves out gets its default
    Given these fragments:
      | uko_node              | content     | token_count |
      | project://app/main.py | hello world | 10          |
    And a budget of 4096 tokens
    And "2025-03-01T09:30:00Z" counts as now
    When the client assembles
    Then the fragment "hello world" comes back with:
      | uko_node        | project://app/main.py |
      | content         | hello world           |
      | token_count     | 10                    |
      | relevance_score | 0.5                   |
      | detail_depth    | 0                     |
      | tier            | warm                  |
      | metadata        |                       |
      | created_at      | 2025-03-01T09:30:00Z  |
      | resource_uri    | project://app/main.py |
    And the fragment "hello world" has an id that the server made

  Scenario: What a caller says is kept
    Given these fragments:
      | fragment_id | uko_node         | content              | relevance_score | token_count | detail_depth | tier | metadata      | resource_uri     | created_at           |
      | io-advice   | project://app/io | Use async IO pattern | 0.95            | 150         | 5            | hot  | priority=high | project://app/io | 2024-06-01T00:00:00Z |
    And a budget of 4096 tokens
    When the client assembles
    Then the fragment "Use async IO pattern" comes back with:
      | fragment_id     | io-advice            |
      | uko_node        | project://app/io     |
      | content         | Use async IO pattern |
      | relevance_score | 0.95                 |
      | token_count     | 150                  |
      | detail_depth    | 5                    |
      | tier            | hot                  |
      | metadata        | priority=high        |
      | resource_uri    | project://app/io     |
      | created_at      | 2024-06-01T00:00:00Z |

  Scenario: No field of a fragment is missing from an answer
    Given these fragments:
      | uko_node              | content | token_count |
      | project://app/main.py | x       | 1           |
    And a budget of 4096 tokens
    When the client assembles
    Then the fragment "x" carries:
      | fragment_id     |
      | uko_node        |
      | content         |
      | detail_depth    |
      | token_count     |
      | relevance_score |
      | provenance      |
      | tier            |
      | metadata        |
      | created_at      |

  Scenario: Sixty-four entries of metadata are kept
    Given a fragment with 64 entries of metadata
    And a budget of 4096 tokens
    When the client assembles
    Then the fragment comes back with 64 entries of metadata

  Scenario: Zero is a value, not an absence
    Given these fragments:
      | uko_node              | content | token_count | relevance_score |
      | project://app/main.py | free    | 0           | 0               |
    And a budget of 1 tokens
    When the client assembles
    Then the fragment "free" comes back with:
      | token_count     | 0 |
      | relevance_score | 0 |

  Scenario: A role in the metadata is the role that counts
    Given these fragments:
      | uko_node      | content       | token_count | role | metadata    |
      | chat://room/1 | from metadata | 10          |      | role=tool   |
      | chat://room/2 | from field    | 10          | user | role=tool   |
      | chat://room/3 | no such role  | 10          |      | role=pirate |
    And a budget of 4096 tokens
    When the client assembles
    Then the fragment "from metadata" comes back with:
      | role | tool |
    And the fragment "from field" comes back with:
      | role | user |
    And the fragment "no such role" comes back with:
      | role | unspecified |
