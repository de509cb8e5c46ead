package dev.rollcall.load.lookup;

import dev.rollcall.wire.tls.TlsEngine;
import java.util.List;
import java.util.Optional;

/** How many gateways are asked, and whether by TLS. */
record LookupCase(int gateways, Optional<TlsEngine> tls) {
  static final List<LookupCase> ALL =
      List.of(
          new LookupCase(1, Optional.empty()),
          new LookupCase(1, Optional.of(TlsEngine.JDK)),
          new LookupCase(1, Optional.of(TlsEngine.NATIVE)),
          new LookupCase(3, Optional.empty()),
          new LookupCase(3, Optional.of(TlsEngine.JDK)));
  static final List<LookupCase> QUICK =
      List.of(
          new LookupCase(1, Optional.of(TlsEngine.NATIVE)), new LookupCase(3, Optional.empty()));

  @Override
  public String toString() {
    return (gateways == 1 ? "one gateway" : gateways + " gateways") + way();
  }

  private String way() {
    return tls.map(engine ->
            switch (engine) {
              case JDK -> ", TLS";
              case NATIVE -> ", TLS (native)";
            })
        .orElse(", clear");
  }
}
