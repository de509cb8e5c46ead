package dev.rollcall.model;

/** A transport protocol of calls. The numbers are IANA's. */
public enum Protocol {
  TCP(6),
  UDP(17);

  private final int number;

  Protocol(int number) {
    this.number = number;
  }

  /** The protocol number of RFC 790, as sockets and netlink use it. */
  public int number() {
    return number;
  }
}
