package dev.rollcall.agent.event;

import java.util.Optional;

/**
 * Asks for processes of users that are in no job.
 *
 * @param uid whose they must be; absent: anybody's
 */
public record OutsideProcessesWanted(Optional<Integer> uid) {}
