package dev.rollcall.cli.doctor;

import java.util.List;

/**
 * A Match block of sshd_config.
 *
 * @param where file and line
 * @param criteria as written
 * @param settings the lines of {@code sshd -T} for an example of whom the block is for
 */
public record MatchSeen(String where, String criteria, Seen<List<String>> settings) {}
