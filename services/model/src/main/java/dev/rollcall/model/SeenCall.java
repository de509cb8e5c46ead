package dev.rollcall.model;

import java.time.Instant;

/**
 * A call that this node's kernel recorded, before its job is looked up.
 *
 * @param connection as the caller's end sees it
 * @param process the thread group that called connect()
 * @param uid its real uid then
 * @param cgroups its cgroups then
 */
public record SeenCall(
    Connection connection, ProcessRef process, int uid, CgroupIds cgroups, Instant at) {}
