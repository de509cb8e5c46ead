package dev.rollcall.lab.cluster;

import java.util.Locale;

/** The user of a command. All but root exist only inside the cluster, with gid = uid. */
public enum User {
  ROOT(0),
  ALICE(2001),
  BOB(2002),
  CAROL(2003);

  private final int uid;

  User(int uid) {
    this.uid = uid;
  }

  public int uid() {
    return uid;
  }

  /** The login name. */
  public String login() {
    return name().toLowerCase(Locale.ROOT);
  }

  String home() {
    return this == ROOT ? "/root" : "/home/" + login();
  }
}
