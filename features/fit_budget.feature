Feature: A payload never exceeds its budget
  What is available is the budget less what is reserved for other uses, such as the model's answer.

  Scenario Outline: Of <max> tokens with <reserved> reserved, <available> are available
    Given no fragments
    And a budget of <max> tokens, <reserved> of them reserved
    When the client assembles
    Then the payload takes 0 of <available> available tokens

    Examples:
      | max  | reserved | available |
      | 4096 | 512      | 3584      |
      | 2048 | 0        | 2048      |

  Scenario Outline: Nothing would be left of <max> tokens with <reserved> reserved
    Given no fragments
    And a budget of <max> tokens, <reserved> of them reserved
    When the client assembles
    Then the call is refused for "budget.reserved_tokens"
    And the message names "<max>", "<reserved>"

    Examples:
      | max  | reserved |
      | 1000 | 1000     |
      | 1000 | 1001     |
      | 100  | 200      |

  Scenario: Fragments are taken as long as they fit
    Given these fragments:
      | uko_node           | content | relevance_score | token_count |
      | project://app/a.py | a       | 0.9             | 500         |
      | project://app/b.py | b       | 0.8             | 500         |
      | project://app/c.py | c       | 0.7             | 500         |
    And a budget of 1000 tokens
    When the client assembles by "relevance"
    Then the payload holds "a", "b"
    And the payload takes 1000 of 1000 available tokens
    And the payload is within its budget

  Scenario: What does not fit makes room for what does
    Given these fragments:
      | uko_node           | content | relevance_score | token_count |
      | project://app/a.py | a       | 0.9             | 900         |
      | project://app/b.py | b       | 0.8             | 300         |
      | project://app/c.py | c       | 0.7             | 200         |
      | project://app/d.py | d       | 0.6             | 100         |
    And a budget of 600 tokens
    When the client assembles by "relevance"
    Then the payload holds "b", "c", "d"

  Scenario: A fragment larger than the whole budget stays out
    Given these fragments:
      | uko_node              | content | relevance_score | token_count |
      | project://app/huge.py | huge    | 0.9             | 5000        |
    And a budget of 100 tokens
    When the client assembles by "relevance"
    Then the payload is empty

  Scenario: Nothing in, nothing out
    Given no fragments
    And a budget of 4096 tokens, 512 of them reserved
    When the client assembles by "relevance"
    Then the payload is empty
    And the payload was ranked by "relevance"

  Scenario: A single fragment that fits is kept
    Given these fragments:
      | uko_node              | content | relevance_score | token_count |
      | project://app/only.py | only    | 0.5             | 100         |
    And a budget of 4096 tokens
    When the client assembles by "relevance"
    Then the payload holds "only"

  Scenario Outline: Of <max> tokens a payload of <tokens> uses <used> and leaves <remaining>
    Given these fragments:
      | uko_node           | content | relevance_score | token_count |
      | project://app/a.py | a       | 0.9             | <tokens>    |
    And a budget of <max> tokens
    When the client assembles by "relevance"
    Then the payload takes <tokens> of <max> available tokens
    And <remaining> tokens remain
    And the payload uses <used> of its budget
    And the payload is within its budget

    Examples:
      | max  | tokens | remaining | used |
      | 200  | 100    | 100       | 0.5  |
      | 500  | 100    | 400       | 0.2  |
      | 1000 | 250    | 750       | 0.25 |
