Feature: What says the same twice is kept once
  A copy has the same node and the same text. Of several copies the most relevant survives; depth and tokens do not count.

  Scenario: Of two copies the more relevant survives
    Given these fragments:
      | uko_node              | content     | relevance_score | token_count | detail_depth |
      | project://app/main.py | hello world | 0.5             | 10          | 3            |
      | project://app/main.py | hello world | 0.9             | 10          | 3            |
    When the client deduplicates the fragments
    Then the client is left with "hello world"
    And the fragment "hello world" comes back with:
      | relevance_score | 0.9 |

  Scenario: Of three copies the most relevant survives
    Given these fragments:
      | uko_node              | content | relevance_score | token_count | detail_depth |
      | project://app/main.py | abc     | 0.3             | 5           | 1            |
      | project://app/main.py | abc     | 0.7             | 5           | 1            |
      | project://app/main.py | abc     | 0.5             | 5           | 1            |
    When the client deduplicates the fragments
    Then the client is left with "abc"
    And the fragment "abc" comes back with:
      | relevance_score | 0.7 |

  Scenario: Another text of the same node is no copy
    Given these fragments:
      | uko_node              | content       | relevance_score | token_count | detail_depth |
      | project://app/main.py | hello world   | 0.5             | 10          | 3            |
      | project://app/main.py | goodbye world | 0.9             | 12          | 3            |
    When the client deduplicates the fragments
    Then the client is left with "hello world", "goodbye world"

  Scenario: The same text of another node is no copy
    Given these fragments:
      | uko_node              | content     | relevance_score | token_count | detail_depth |
      | project://app/main.py | hello world | 0.5             | 10          | 3            |
      | project://app/io.py   | hello world | 0.9             | 10          | 3            |
    When the client deduplicates the fragments
    Then the client is left with "hello world", "hello world"

  Scenario: Where the node shall not matter, one of both is kept
    Given these fragments:
      | uko_node              | content     | relevance_score | token_count | detail_depth |
      | project://app/main.py | hello world | 0.5             | 10          | 3            |
      | project://app/io.py   | hello world | 0.9             | 10          | 3            |
    When the client deduplicates the fragments with "cross_node"
    Then the client is left with "hello world"
    And the fragment "hello world" comes back with:
      | uko_node | project://app/io.py |

  Scenario: Nothing in, nothing out
    Given no fragments
    When the client deduplicates the fragments
    Then the client is left with nothing

  Scenario: A pinned copy survives a more relevant one
    Given these fragments:
      | uko_node              | content     | relevance_score | token_count | pinned |
      | project://app/main.py | hello world | 0.9             | 10          |        |
      | project://app/main.py | hello world | 0.1             | 10          | yes    |
    When the client deduplicates the fragments
    Then the client is left with "hello world"
    And the fragment "hello world" comes back with:
      | pinned | yes |

  Scenario: Equal results of two calls are no copies
    Given these fragments:
      | uko_node  | content | token_count | group_id |
      | tool://ls | a.txt   | 20          | call-1   |
      | tool://ls | a.txt   | 20          | call-2   |
    When the client deduplicates the fragments
    Then the client is left with "a.txt", "a.txt"

  Scenario: A copy that went says so
    Given these fragments:
      | fragment_id | uko_node              | content     | relevance_score | token_count |
      | worse       | project://app/main.py | hello world | 0.5             | 10          |
      | better      | project://app/main.py | hello world | 0.9             | 10          |
    When the client deduplicates the fragments
    Then "hello world" is dropped as duplicate
    And "hello world" went in favour of "better"
