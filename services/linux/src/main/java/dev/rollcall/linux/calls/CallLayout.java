package dev.rollcall.linux.calls;

/**
 * Where the fields of a call are in the kernel's maps, in bytes. Shared with every agent that may
 * find these maps pinned: a change of the calls' needs another {@link #VERSION}; a map whose shape
 * changed is made anew.
 */
final class CallLayout {
  /** Part of the path under which maps, program and link are pinned. */
  static final String VERSION = "v1";

  // The key: a connection as the caller's end sees it. Addresses have 16 bytes, IPv4 is v4-mapped.
  static final int NETNS = 0; // u64 cookie, or the inode number where the kernel has no cookies
  static final int LOCAL_ADDRESS = 8;
  static final int REMOTE_ADDRESS = 24;
  static final int LOCAL_PORT = 40; // u16 in host order
  static final int REMOTE_PORT = 42; // u16 in host order; two zero bytes follow
  static final int KEY_SIZE = 48;

  // The value: who called.
  static final int CALLED_AT = 0; // u64 ns of CLOCK_MONOTONIC
  static final int CGROUP_V2 = 8; // u64
  static final int CGROUP_V1 = 16; // u64, of the freezer; 0 in a kernel without it
  static final int STARTED_AT = 24; // u64 ns of CLOCK_BOOTTIME, of the thread group's leader
  static final int SOCKET_COOKIE = 32; // u64
  static final int TGID = 40; // u32
  static final int UID = 44; // u32, the real uid
  static final int VALUE_SIZE = 48;

  /** What the ring carries of a call that is told: key and value. */
  static final int RECORD_SIZE = KEY_SIZE + VALUE_SIZE;

  /** The key alone: what was told of these ends is no longer true. */
  static final int WITHDRAWAL_SIZE = KEY_SIZE;

  /** Zeros: calls that should have been told were not. */
  static final int LOST_RECORD_SIZE = 8;

  /** Zeros: a connection to a tracked port of this node is open. */
  static final int ARRIVAL_SIZE = 16;

  // The key of the buckets: the user, and the number of the rate in the array of rates.
  static final int BUCKET_RATE = 4; // u32, behind the u32 uid
  static final int BUCKET_KEY_SIZE = 8;

  // A rate, ns each.
  static final int INTERVAL = 0; // u64, after which a user may have one more
  static final int SPAN = 8; // u64, how far ahead FULL_AT may be for one more
  static final int RATE_SIZE = 16;

  /** The rate of tracked ports without their own. */
  static final int COMMON_RATE = 1;

  // What is kept of a user who calls announced ports, ns of CLOCK_MONOTONIC each.
  static final int FULL_AT = 0; // u64, when the bucket is full again
  static final int OVER_AT = 8; // u64, of the last call over the rate
  static final int BUCKET_SIZE = 16;

  // The key of the prefix map: u32 bits that count, then the address.
  static final int PREFIX_ADDRESS = 4;
  static final int PREFIX_KEY_SIZE = 20;

  // Places in the array of counters, u64 each.
  static final int LOST = 0; // calls that were not told, for want of room in the ring
  static final int LOST_PENDING = 1; // 1 while a record that says so is on its way
  static final int LOST_TOLD = 2; // the agent's: how many of LOST a listener has heard of
  static final int WITHHELD = 3; // calls that were not told, because of their users' rates
  static final int UNCOUNTED = 4; // calls to watched ports, for want of room in their map
  static final int COUNTERS = 5;

  // The key of the calls to watched ports; the value is their u64 number.
  static final int WATCHED_V2 = 0; // u64, the caller's cgroups
  static final int WATCHED_V1 = 8; // u64
  static final int WATCHED_PORT = 16; // u64
  static final int WATCHED_KEY_SIZE = 24;

  private CallLayout() {}
}
