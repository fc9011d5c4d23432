Feature: Known requests have their known answers
  Each file under features/vectors is a request with what is right about its answer, for clients in any language to check themselves by.

  Scenario: Every vector has its answer
    When the client runs every vector
    Then each of them has its answer
