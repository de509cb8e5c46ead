package dev.rollcall.agent.event;

import java.util.Optional;

/**
 * Asks for a recent adoption.
 *
 * @param id absent: the last one of the user
 * @param uid whose it must be; absent: anybody's
 */
public record RecentAdoption(Optional<String> id, Optional<Integer> uid) {}
