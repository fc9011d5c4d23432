Feature: A server says whether it serves

  Scenario: The server as a whole
    When the client asks for the health of the server
    Then the answer is SERVING

  Scenario Outline: The service <service>
    When the client asks for the health of "<service>"
    Then the answer is SERVING

    Examples:
      | service                 |
      | acms.v1.AssemblyService |
      | acms.v1.StageService    |
      | acms.v1.StrategyService |
