package dev.rollcall.load.micro;

import dev.rollcall.linux.bpf.MapLookups;
import java.io.IOException;

/** The measured operations in the order of the report: a method, and the JVM that runs it. */
enum Act {
  POLICY("dev.rollcall.load.micro.Decisions.decide", Jvm.AGENT, "policy, 8 jobs, caller known"),
  HOSTLIST("dev.rollcall.load.micro.Parsers.hostlist", Jvm.AGENT, "hostlist of 5 ranges"),
  CONNECTION("dev.rollcall.load.micro.Parsers.connection", Jvm.AGENT, "connection"),
  STAT("dev.rollcall.load.micro.Parsers.stat", Jvm.AGENT, "line of /proc/PID/stat"),
  STAT_READ("dev.rollcall.load.micro.Parsers.statOfThis", Jvm.AGENT, "/proc/PID/stat, read"),
  CGROUP("dev.rollcall.load.micro.Parsers.cgroup", Jvm.AGENT, "5 lines of /proc/PID/cgroup"),
  JOB_OF_PATH("dev.rollcall.load.micro.Parsers.jobOfPath", Jvm.AGENT, "job of a cgroup's path"),
  REQUEST(
      "dev.rollcall.agent.login.socket.LoginFrames.request",
      Jvm.AGENT,
      "login socket, request read"),
  REPLY(
      "dev.rollcall.agent.login.socket.LoginFrames.reply",
      Jvm.AGENT,
      "login socket, reply written"),
  CALL_WRITTEN("dev.rollcall.roll.Entries.writeCall", Jvm.GATEWAY, "roll, call written"),
  CALL_READ("dev.rollcall.roll.Entries.readCall", Jvm.GATEWAY, "roll, call read"),
  JOB_WRITTEN("dev.rollcall.roll.Entries.writeJob", Jvm.GATEWAY, "roll, job of 32 written"),
  JOB_READ("dev.rollcall.roll.Entries.readJob", Jvm.GATEWAY, "roll, job of 32 read"),
  NODE_WRITTEN("dev.rollcall.roll.Entries.writeNode", Jvm.GATEWAY, "roll, node written"),
  NODE_READ("dev.rollcall.roll.Entries.readNode", Jvm.GATEWAY, "roll, node read"),
  SOCKET("dev.rollcall.load.micro.Sockets.find", Jvm.AGENT, "sock_diag, exact"),
  MAP("dev.rollcall.linux.bpf.MapLookups.hit", Jvm.AGENT, "BPF map, hit"),
  MAP_MISS("dev.rollcall.linux.bpf.MapLookups.miss", Jvm.AGENT, "BPF map, miss"),
  CALLER("dev.rollcall.load.micro.CallTable.find", Jvm.AGENT, "caller on the node");

  private final String method;
  private final Jvm jvm;
  private final String text;

  Act(String method, Jvm jvm, String text) {
    this.method = method;
    this.jvm = jvm;
    this.text = text;
  }

  /**
   * Does what asks the kernel once.
   *
   * @throws IOException naming what the kernel or this process lacks
   */
  void probe() throws IOException {
    switch (this) {
      case SOCKET -> probeSocket();
      case MAP, MAP_MISS -> probeMap();
      case CALLER -> probeCalls();
      default -> {}
    }
  }

  private static void probeSocket() throws IOException {
    var sockets = new Sockets();
    sockets.open();
    sockets.close();
  }

  private static void probeMap() throws IOException {
    var map = new MapLookups();
    map.fill();
    map.close();
  }

  private static void probeCalls() throws IOException {
    var calls = new CallTable();
    calls.open();
    calls.close();
  }

  /** As JMH calls it: class and method. */
  String method() {
    return method;
  }

  Jvm jvm() {
    return jvm;
  }

  /** The case's name. */
  String text() {
    return text;
  }
}
