Feature: A client hosts a component over the stream that it opened
  An agent replaces any part of the pipeline with code in its own process. Whatever that code or its process does, the request has an answer.

  Background:
    Given these fragments:
      | fragment_id | uko_node           | content   | relevance_score | token_count | detail_depth |
      | a           | project://app/a.py | alpha one | 0.9             | 60          | 1            |
      | b           | project://app/b.py | beta      | 0.1             | 40          | 9            |
    And a budget of 70 tokens
    And the request names the profile "fusion"

  Scenario: A client's scorer decides what is packed
    Given a client's scorer "mine" that prefers what came last
    And the request names the scorer "mine"
    When the client assembles by "relevance"
    Then the payload holds "beta"
    And nothing departs from what was asked

  Scenario: A client's depth resolver decides which variant stands for its node
    Given a client's depth resolver "mine" that prefers the shallowest
    And these fragments:
      | uko_node           | content | relevance_score | token_count | detail_depth |
      | project://app/a.py | deep    | 0.9             | 60          | 9            |
      | project://app/a.py | shallow | 0.9             | 20          | 1            |
    And the request names the profile "direct"
    And the request names the depth resolver "mine"
    When the client assembles by "relevance"
    Then the payload holds "shallow"
    And "deep" is dropped as other variant

  Scenario: A client's packer spends the budget
    Given a client's packer "mine" that takes the cheapest first
    And the request names the packer "mine"
    When the client assembles by "relevance"
    Then the payload holds "beta"
    And "alpha one" is dropped as rejected by component

  Scenario: A client's packer cannot spend more than there is
    Given a client's packer "mine" that takes everything
    And the request names the packer "mine"
    When the client assembles by "relevance"
    Then the call fails with UNAVAILABLE
    And the reason is COMPONENT_UNAVAILABLE with:
      | role      | packer    |
      | component | mine      |
      | failure   | invariant |
    And the message names "100 of 70 tokens"

  Scenario: A client's orderer decides the reading order
    Given a client's orderer "mine" that reads from the last to the first
    And a budget of 500 tokens
    And the request names the orderer "mine"
    When the client assembles by "relevance"
    Then the payload holds "beta", "alpha one"

  Scenario: A client's token counter counts what was not counted
    Given a client's token counter "words" that counts words
    And these fragments:
      | uko_node           | content             |
      | project://app/a.py | one two three       |
      | project://app/b.py | four five six seven |
    And the request names the profile "direct"
    And the request counts by "words"
    When the client assembles by "relevance"
    Then the payload takes 7 of 70 available tokens

  Scenario: A client's score of its own decides the order of priority
    Given a client's strategy "by_depth" that ranks the deepest first
    And the request names the profile "direct"
    And a budget of 500 tokens
    When the client assembles by "by_depth"
    Then the payload holds "beta", "alpha one"

  Scenario: A built-in component can still be reached beside a client's of its name
    Given a client's scorer "weighted_composite" that prefers what came last
    And the request names the scorer "builtin:weighted_composite"
    When the client assembles by "relevance"
    Then the payload holds "alpha one"
    And the client's scorer was never asked

  Scenario: Two clients share the work of one name
    Given a client's scorer "mine" that prefers what came last
    And a client's scorer "mine" that prefers what came last
    And the request names the scorer "mine"
    When the client assembles 6 times by "relevance"
    Then each client's component was asked 3 times

  Scenario: The components that exist are listed with their source, and how they do
    Given a client's scorer "mine" that prefers what came last
    And the request names the scorer "mine"
    When the client assembles by "relevance"
    And the client lists the scorers
    Then these components are among them:
      | name               | source   | state | instances | calls | failures |
      | mine               | hosted   | ready | 1         | 1     | 0        |
      | weighted_composite | built in | ready | 0         | 0     | 0        |

  Scenario Outline: What follows from a failure is the request's to choose
    Given a client's scorer "mine" that fails
    And the request names the scorer "mine"
    And where its scorer fails the request shall <policy>
    When the client assembles by "relevance"
    Then the payload holds "alpha one"
    And the payload warns of component_failed_failed
    And the warning names "mine", "<instead>"

    Examples:
      | policy    | instead            |
      | skip      | skipped            |
      | fall back | weighted_composite |

  Scenario: A request may want to fail with its component
    Given a client's scorer "mine" that fails
    And the request names the scorer "mine"
    And where its scorer fails the request shall fail
    When the client assembles by "relevance"
    Then the call fails with UNAVAILABLE
    And the message names "mine", "no model today"

  Scenario Outline: An answer that is none never reaches the payload
    Given a client's scorer "mine" that answers <nonsense>
    And the request names the scorer "mine"
    When the client assembles by "relevance"
    Then the payload holds "alpha one"
    And the payload warns of component_failed_<kind>

    Examples:
      | nonsense                  | kind      |
      | one score too few         | invariant |
      | scores above one          | invariant |
      | scores that are no number | invariant |
      | late                      | timeout   |

  Scenario: A client that answers twice does no harm
    Given a client's scorer "mine" that answers twice
    And the request names the scorer "mine"
    When the client assembles 3 times by "relevance"
    Then the payload holds "beta"
    And nothing departs from what was asked

  Scenario: A client that floods the server is cut off, and the request has its answer
    Given a client's scorer "mine" that floods the server
    And the request names the scorer "mine"
    When the client assembles by "relevance"
    Then the payload holds "alpha one"
    And the payload warns of component_failed_lost
    And the client's stream has ended with INVALID_ARGUMENT

  Scenario: A client that is killed in the middle of a question is noticed at once
    Given a client's process that hosts the scorer "mine" and answers nothing
    And the request names the scorer "mine"
    When the client's process is killed while the client assembles by "relevance"
    Then the payload holds "alpha one"
    And the payload warns of component_failed_lost
    When the client assembles by "relevance"
    Then the payload warns of component_failed_detached

  Scenario: A client that freezes is lost within two heartbeats
    Given a client's process that hosts the scorer "mine" and answers nothing
    And the request names the scorer "mine"
    When the client's process is frozen while the client assembles by "relevance"
    Then the payload holds "alpha one"
    And the payload warns of component_failed_lost

  Scenario: The work of a client that is killed goes on at another
    Given a client's process that hosts the scorer "mine" and answers nothing
    And a client's pure scorer "mine" that prefers what came last
    And the request names the scorer "mine"
    When the client's process is killed while the client assembles by "relevance"
    Then the payload holds "beta"
    And nothing departs from what was asked

  Scenario: A server that stops waits for answers that are on their way
    Given a client's scorer "mine" that thinks for 150 milliseconds
    And the request names the scorer "mine"
    When the server stops while the client assembles by "relevance"
    Then the payload holds "beta"
    And the client was told that the server stops
    And the client's stream has ended with UNAVAILABLE
