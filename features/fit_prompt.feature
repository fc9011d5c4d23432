Feature: A prompt is trimmed to its budget, and says so
  Sections that do not matter most give way first, what matters stays, and a note tells the reader what is missing.

  Scenario Outline: <characters> characters are estimated at <tokens> tokens
    Given the prompt sections:
      | section      | text               |
      | instructions | <characters> x "a" |
    When the client fits the prompt into 10000 tokens
    Then the estimate is <tokens> tokens

    Examples:
      | characters | tokens |
      | 0          | 0      |
      | 5          | 2      |
      | 400        | 100    |

  Scenario: With room for everything nothing is touched
    Given the prompt sections:
      | section      | file      | text            |
      | instructions |           | Judge the plan. |
      | project      |           | A budgeter.     |
      | roadmap      |           | Ship in May.    |
      | plans        | plan-a.md | Cut the ends.   |
      | context      |           | We spoke.       |
      | research     |           | We read.        |
      | requirements |           | It must fit.    |
    When the client fits the prompt into 10000 tokens
    Then the prompt reads:
      """
      Judge the plan.

      ## Roadmap

      Ship in May.

      ## Project

      A budgeter.

      ## Plans

      ### plan-a.md

      Cut the ends.

      ## Context

      We spoke.

      ## Research

      We read.

      ## Requirements

      It must fit.
      """
    And the prompt is whole

  Scenario: Research that alone is too much goes
    Given the prompt sections:
      | section      | file      | text            |
      | instructions |           | Judge the plan. |
      | roadmap      |           | Ship in May.    |
      | plans        | plan-a.md | Cut the ends.   |
      | research     |           | 2000 x "a"      |
    When the client fits the prompt into 200 tokens
    Then "research" is omitted
    And a note says "research left out"
    And the prompt does not have "aaaa", "## Research"

  Scenario: Context goes before research
    Given the prompt sections:
      | section      | file      | text            |
      | instructions |           | Judge the plan. |
      | roadmap      |           | Ship in May.    |
      | plans        | plan-a.md | Cut the ends.   |
      | research     |           | 2000 x "b"      |
      | context      |           | 2000 x "b"      |
    When the client fits the prompt into 200 tokens
    Then "context", "research" are omitted
    And a note says "context left out, research left out"

  Scenario: A long project is cut before anything goes
    Given the prompt sections:
      | section      | file    | text                 |
      | instructions |         | Judge this.          |
      | project      |         | 80 lines of 19 x "x" |
      | roadmap      |         | May.                 |
      | plans        | plan.md | Cut the ends.        |
      | context      |         | We spoke.            |
    When the client fits the prompt into 445 tokens
    Then the project is cut
    And "## Project" has the text '40 lines of 19 x "x"' in the prompt
    And nothing is omitted
    And a note says "project cut to 40 lines"
    And the prompt has "We spoke."

  Scenario: Plans give way in proportion, and none is lost
    Given the prompt sections:
      | section      | file      | text        |
      | instructions |           | Judge this. |
      | roadmap      |           | May.        |
      | plans        | plan-a.md | 4000 x "p"  |
      | plans        | plan-b.md | 4000 x "q"  |
    When the client fits the prompt into 1600 tokens
    Then the prompt has "### plan-a.md", "### plan-b.md"
    And the plans lose 20 to 40 per cent
    And a note says "plans shortened"

  Scenario: Requirements are the last to go
    Given the prompt sections:
      | section      | file    | text          |
      | instructions |         | Judge.        |
      | roadmap      |         | May.          |
      | plans        | plan.md | Cut the ends. |
      | context      |         | 2000 x "x"    |
      | research     |         | 2000 x "x"    |
      | requirements |         | 2000 x "x"    |
    When the client fits the prompt into 200 tokens
    Then "context", "research", "requirements" are omitted
    And a note says "requirements left out"
    And a prompt fits

  Scenario: Where what must stay is too much, there is no prompt
    Given the prompt sections:
      | section      | file    | text          |
      | instructions |         | 800 x "i"     |
      | roadmap      |         | May.          |
      | plans        | plan.md | Cut the ends. |
    When the client fits the prompt into 50 tokens
    Then no prompt fits, for the limit "minimum"
    And the effective budget is 45 tokens
    And the estimate is 205 tokens

  Scenario: Room for the note is set aside before anything is dropped
    Given the prompt sections:
      | section      | file    | text       |
      | instructions |         | 120 x "i"  |
      | roadmap      |         | 40 x "r"   |
      | plans        | plan.md | 40 x "p"   |
      | research     |         | 2000 x "x" |
    When the client fits the prompt into 145 tokens
    Then the effective budget is 130 tokens
    And "research" is omitted
    And a note says "research left out"
    And the estimate is within the effective budget
    And a prompt fits

  Scenario: Sections that are not there leave no trace
    Given the prompt sections:
      | section      | file    | text            |
      | instructions |         | Judge the plan. |
      | roadmap      |         | Ship in May.    |
      | plans        | plan.md | Cut the ends.   |
      | research     |         |                 |
    When the client fits the prompt into 10000 tokens
    Then the prompt is whole
    And the prompt does not have "## Context", "## Research", "## Requirements", "## Project"

  Scenario: A prompt that fits does not fail for a note that it does not need
    Given the prompt sections:
      | section      | file    | text     |
      | instructions |         | 32 x "i" |
      | roadmap      |         | 16 x "r" |
      | plans        | plan.md | 40 x "p" |
    When the client fits the prompt into 44 tokens
    Then the effective budget is 39 tokens
    And the prompt is whole
    And there is no note

  Scenario: A prompt that fits is not trimmed for a note that it does not need
    Given the prompt sections:
      | section      | file      | text      |
      | instructions |           | 120 x "i" |
      | roadmap      |           | 40 x "r"  |
      | plans        | plan-a.md | 40 x "p"  |
      | context      |           | 40 x "c"  |
      | research     |           | 40 x "x"  |
    When the client fits the prompt into 156 tokens
    Then the effective budget is 140 tokens
    And the prompt is whole
    And the prompt has "## Context", "## Research"
