package dev.rollcall.agent.event;

import dev.rollcall.model.usage.UsageRecord;
import java.util.Optional;

/**
 * The account of a session that is closed.
 *
 * @param record absent for a session of no job
 */
public record SessionAccount(Optional<UsageRecord> record) {}
