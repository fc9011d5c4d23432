Feature: The edges of a prompt's budget are exact
  A token more or less decides, and so does a character, a line or a plan that may not be shortened.

  Scenario Outline: With instructions of <characters> characters, <what>
    Given a margin of 0 per cent
    And the prompt sections:
      | section      | text               |
      | instructions | <characters> x "i" |
      | context      | 85 x "c"           |
    When the client fits the prompt into 1000 tokens
    Then the estimate is <tokens> tokens
    And <what>

    Examples:
      | characters | tokens | what                 |
      | 3894       | 999    | the prompt is whole  |
      | 3897       | 999    | the prompt is whole  |
      | 3901       | 1000   | the prompt is whole  |
      | 3902       | 993    | "context" is omitted |

  Scenario Outline: With <tokens> tokens beside the note, <outcome>
    Given a margin of 0 per cent
    And the prompt sections:
      | section      | text               |
      | instructions | <characters> x "i" |
      | context      | 9000 x "c"         |
    When the client fits the prompt into 1000 tokens
    Then "context" is omitted
    And <outcome>

    Examples:
      | tokens | characters | outcome                                  |
      | 919    | 3676       | a prompt fits                            |
      | 920    | 3680       | a prompt fits                            |
      | 921    | 3684       | a prompt fits                            |
      | 982    | 3928       | a prompt fits                            |
      | 983    | 3932       | no prompt fits, for the limit "rendered" |
      | 1000   | 4000       | no prompt fits, for the limit "rendered" |

  Scenario: The long plan gives way for the short one
    Given the prompt sections:
      | section | file     | text       |
      | plans   | short.md | 1100 x "s" |
      | plans   | long.md  | 9000 x "l" |
      | context |          | 400 x "c"  |
    When the client fits the prompt into 1400 tokens
    Then nothing is omitted
    And "### short.md" has 1024 characters in the prompt
    And "## Context" has the text '400 x "c"' in the prompt

  Scenario: A plan of 1024 characters is not shortened
    Given a margin of 0 per cent
    And the prompt sections:
      | section | file | text       |
      | plans   | a.md | 1024 x "p" |
      | context |      | 4000 x "c" |
    When the client fits the prompt into 400 tokens
    Then "context" is omitted
    And "### a.md" has 1024 characters in the prompt
    And the plans lose 0 to 0 per cent

  Scenario: Four plans at the floor
    Given a margin of 0 per cent
    And the prompt sections:
      | section | file | text       |
      | plans   | a.md | 5000 x "a" |
      | plans   | b.md | 5000 x "b" |
      | plans   | c.md | 5000 x "c" |
      | plans   | d.md | 5000 x "d" |
      | context |      | 100 x "x"  |
    When the client fits the prompt into 1100 tokens
    Then "### a.md" has 1024 characters in the prompt
    And "### d.md" has 1024 characters in the prompt
    And "context" is omitted
    And a prompt fits

  Scenario: Empty sections are passed over
    Given the prompt sections:
      | section      | text       |
      | instructions | Judge.     |
      | project      |            |
      | context      |            |
      | research     | 4000 x "r" |
      | requirements |            |
    When the client fits the prompt into 200 tokens
    Then "research" is omitted

  Scenario: Lines that end with CRLF keep their ends
    Given a margin of 0 per cent
    And the prompt sections:
      | section | text                       |
      | project | 200 CRLF lines of 98 x "x" |
    When the client fits the prompt into 1200 tokens
    Then "## Project" has the text '40 CRLF lines of 98 x "x"' in the prompt

  Scenario: A cut does not end inside a character
    Given a margin of 0 per cent
    And the prompt sections:
      | section | file | text         |
      | plans   | a.md | -            |
      | plans   | b.md | 3000 x "-😀" |
    When the client fits the prompt into 400 tokens
    Then "### b.md" has 1246 characters in the prompt

  Scenario Outline: <margin> per cent of <budget> leave <effective>
    Given a margin of <margin> per cent
    And the prompt sections:
      | section      | text     |
      | instructions | 16 x "i" |
    When the client fits the prompt into <budget> tokens
    Then the effective budget is <effective> tokens

    Examples:
      | budget | margin | effective |
      | 145    | 10     | 130       |
      | 45     | 10     | 40        |
      | 15     | 50     | 7         |
      | 100    | 100    | 0         |

  Scenario: Any sections, with a policy each and a note of one's own
    Given the prompt has the layout "plain"
    And a margin of 0 per cent
    And the note says "[{cuts}]"
    And the prompt sections:
      | section | text               | policy  |
      | task    | Answer.            | keep    |
      | log     | 9 lines of 9 x "l" | 2 lines |
      | notes   | 400 x "n"          | drop    |
      | old     | 400 x "o"          | drop    |
    And "notes" is trimmed first
    When the client fits the prompt into 90 tokens
    Then the prompt reads:
      """
      [notes left out, old left out, log cut to 2 lines]

      Answer.

      lllllllll
      lllllllll
      """

  Scenario: Every fault of a request is named at once
    Given the prompt has the layout "wide"
    And a margin of 101 per cent
    And the prompt sections:
      | section | text | policy  |
      | log     | -    | 0 lines |
    When the client fits the prompt into 0 tokens
    Then the call is refused for "layout", "sections[0].policy.head_lines.lines", "budget", "margin_percent"
    And the message names "wide", "review, plain"
