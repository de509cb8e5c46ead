package dev.rollcall.load.lookup;

import dev.rollcall.load.bench.Bench;
import dev.rollcall.load.bench.BenchCase;
import dev.rollcall.load.bench.Benchmark;
import dev.rollcall.load.gateway.ClusterCertificates;
import dev.rollcall.load.gateway.Scratch;
import java.util.ArrayList;
import java.util.List;

/**
 * Asks one gateway, and three, for callers by IdentifyMany and by Identify, in plaintext and with
 * TLS. The floor is a gRPC echo.
 */
public final class LookupBenchmark implements Benchmark {
  @Override
  public String name() {
    return "lookup";
  }

  @Override
  public String about() {
    return "who made a call, asked of gateways: what a core answers a second, and how soon";
  }

  @Override
  public List<BenchCase> run(Bench bench) {
    var cases = new ArrayList<BenchCase>();
    try (var scratch = Scratch.fresh("rollcall-bench-lookup-");
        var identities = ClusterCertificates.in(scratch.path())) {
      var files = LookupIdentities.of(identities);
      for (LookupCase one : bench.quick() ? LookupCase.QUICK : LookupCase.ALL) {
        bench.progress().accept(one.toString());
        try (var rig = LookupRig.raise(one, bench, scratch, files)) {
          for (LoadOptions.Kind kind : LoadOptions.Kind.values()) {
            cases.addAll(new LookupMeasure(rig, bench, kind).cases());
          }
          cases.add(PortReuse.measured(rig, bench));
        }
      }
    }
    return cases;
  }
}
