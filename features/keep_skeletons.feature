Feature: An outline of the parents stands beside the payload
  Fragments of the parent context do not compete with the others. A share of the budget decides how long their outline may be.

  Scenario: Without a compressor of one's own nothing is shortened
    Given these fragments:
      | fragment_id | uko_node              | content                  | token_count |
      | parent-x    | project://parent/x.py | the whole of the parent  | 90          |
      | parent-y    | project://parent/y.py | the whole of another one | 10          |
    When the client compresses the fragments to 100 tokens
    Then the compressed fragments are those that were given
    And the compressed fragments take 100 tokens

  Scenario: A client's compressor shortens
    Given a client's skeleton compressor "opening" that keeps 9 characters
    And these fragments:
      | uko_node              | content                  | token_count |
      | project://parent/x.py | the whole of the parent  | 90          |
      | project://parent/y.py | the whole of another one | 10          |
    When the client compresses the fragments to 50 tokens with "opening"
    Then the compressed fragments are "the whole", "the whole"
    And the compressed fragments take 6 tokens

  Scenario Outline: A share of <ratio> of <max> tokens is <share> for the outline
    Given a client's skeleton compressor "opening" that keeps 6 characters
    And these fragments:
      | uko_node           | content | relevance_score | token_count |
      | project://app/a.py | alpha   | 0.9             | 100         |
    And a budget of <max> tokens
    And these parent fragments:
      | uko_node              | content     | relevance_score | token_count |
      | project://parent/x.py | parent code | 0.8             | 200         |
    And the request grants the parents a share of <ratio>
    And the request names the skeleton compressor "opening"
    When the client assembles by "relevance"
    Then the client's skeleton compressor was asked once
    And the client's skeleton compressor was given "parent code"
    And the client's skeleton compressor had <share> tokens
    And the payload holds "alpha"

    Examples:
      | max  | ratio | share |
      | 1000 | 0.15  | 150   |
      | 2000 | 0.25  | 500   |

  Scenario: The outline that the compressor made is in the payload
    Given a client's skeleton compressor "unchanged" that keeps 6 characters
    And these fragments:
      | uko_node           | content | relevance_score | token_count |
      | project://app/a.py | alpha   | 0.9             | 100         |
    And a budget of 1000 tokens
    And these parent fragments:
      | uko_node              | content     | relevance_score | token_count |
      | project://parent/x.py | parent code | 0.8             | 200         |
    And the request grants the parents a share of 0.15
    When the client assembles by "relevance"
    Then the outline holds "parent"
    And the outline takes 2 tokens beside the payload's 100

  Scenario: Without parents there is no outline
    Given a client's skeleton compressor "unchanged" that keeps 6 characters
    And these fragments:
      | uko_node           | content | relevance_score | token_count |
      | project://app/a.py | alpha   | 0.9             | 100         |
    And a budget of 1000 tokens
    When the client assembles by "relevance"
    Then there is no outline
    And the client's skeleton compressor was never asked

  Scenario: An outline over its share is said, not hidden
    Given these fragments:
      | uko_node           | content | relevance_score | token_count |
      | project://app/a.py | alpha   | 0.9             | 100         |
    And a budget of 1000 tokens
    And these parent fragments:
      | uko_node              | content     | relevance_score | token_count |
      | project://parent/x.py | parent code | 0.8             | 200         |
    When the client assembles by "relevance"
    Then the outline holds "parent code"
    And the outline takes 200 tokens beside the payload's 100
    And the payload warns of skeleton_over_share

  Scenario: Fusion keeps the shallowest variant of each parent
    Given these fragments:
      | uko_node           | content | relevance_score | token_count |
      | project://app/a.py | alpha   | 0.9             | 100         |
    And a budget of 1000 tokens
    And these parent fragments:
      | uko_node              | content       | relevance_score | token_count | detail_depth |
      | project://parent/x.py | full source   | 0.9             | 120         | 9            |
      | project://parent/x.py | brief summary | 0.5             | 20          | 2            |
      | project://parent/y.py | other summary | 0.8             | 30          | 1            |
    And the request names the profile "fusion"
    When the client assembles by "relevance"
    Then the outline holds "other summary", "brief summary"
    And the outline takes 50 tokens beside the payload's 100

  Scenario: A parent that is too long is cut to its first lines
    Given these fragments:
      | uko_node              | content                                      | relevance_score | token_count | detail_depth |
      | project://parent/x.py | class Parent:\n  def first():\n  def last(): | 0.9             | 200         | 9            |
    When the client compresses the fragments to 7 tokens with "depth_reduction"
    Then the compressed fragments are:
      | content                       | token_count | detail_depth |
      | class Parent:\n  def first(): | 7           | 1            |

  Scenario: In fusion the outline is paid from the same budget
    Given these fragments:
      | uko_node           | content | relevance_score | token_count |
      | project://app/a.py | alpha   | 0.9             | 850         |
      | project://app/b.py | beta    | 0.8             | 150         |
    And a budget of 1000 tokens
    And these parent fragments:
      | uko_node              | content       | relevance_score | token_count |
      | project://parent/x.py | brief summary | 0.5             | 150         |
    And the request names the profile "fusion"
    When the client assembles by "relevance"
    Then the payload holds "alpha"
    And the outline takes 150 tokens beside the payload's 850

  Scenario: Pins come before the outline
    Given these fragments:
      | uko_node           | content | token_count | pinned |
      | project://app/a.py | alpha   | 900         | yes    |
    And a budget of 1000 tokens
    And these parent fragments:
      | uko_node              | content       | token_count |
      | project://parent/x.py | brief summary | 100         |
      | project://parent/y.py | other summary | 50          |
    And the request names the profile "fusion"
    And the request grants the parents a share of 0.15
    When the client assembles by "relevance"
    Then the payload holds "alpha"
    And the payload and its outline fit in 1000 tokens

  Scenario Outline: A share of <ratio> is refused
    Given no fragments
    And a budget of 1000 tokens
    And the request grants the parents a share of <ratio>
    When the client assembles by "relevance"
    Then the call is refused for "skeleton_ratio"

    Examples:
      | ratio |
      | -0.1  |
      | 1.1   |
