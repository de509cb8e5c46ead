package dev.rollcall.load.lookup;

import java.util.List;

/** The number of gateways, with or without TLS. */
record LookupCase(int gateways, boolean tls) {
  static final List<LookupCase> ALL =
      List.of(
          new LookupCase(1, false),
          new LookupCase(1, true),
          new LookupCase(3, false),
          new LookupCase(3, true));
  static final List<LookupCase> QUICK = List.of(new LookupCase(1, true), new LookupCase(3, false));

  @Override
  public String toString() {
    return (gateways == 1 ? "one gateway" : "three gateways") + (tls ? ", TLS" : ", plaintext");
  }
}
