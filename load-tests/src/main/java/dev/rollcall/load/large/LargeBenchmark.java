package dev.rollcall.load.large;

import dev.rollcall.load.bench.Bench;
import dev.rollcall.load.bench.BenchCase;
import dev.rollcall.load.bench.BenchFailedException;
import dev.rollcall.load.bench.Benchmark;
import dev.rollcall.load.gateway.ClusterCertificates;
import dev.rollcall.load.gateway.Scratch;
import dev.rollcall.wire.tls.TlsFiles;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Many nodes on three gateways: what they cost, and what breaks first. */
public final class LargeBenchmark implements Benchmark {
  @Override
  public String name() {
    return "large";
  }

  @Override
  public String about() {
    return "many nodes on three gateways: CPU, heap and latency, lost gateways, and how it grows";
  }

  @Override
  public List<BenchCase> run(Bench bench) {
    Sizes sizes = Sizes.of(bench);
    var cases = new ArrayList<BenchCase>();
    var grown = new Grown();
    try (var scratch = Scratch.fresh("rollcall-bench-large-");
        var identities = ClusterCertificates.in(scratch.path())) {
      var certificates = new Certificates(identities);
      for (int nodes : sizes.nodes()) {
        bench.progress().accept(nodes + " nodes");
        try {
          cases.addAll(new LargeRun(bench, sizes, scratch, certificates, grown).of(nodes));
        } catch (BenchFailedException e) {
          if (cases.isEmpty()) {
            throw e;
          }
          // A size that does not go is what is looked for.
          bench.progress().accept(nodes + " nodes: " + e.getMessage());
          grown.failed(nodes, String.valueOf(e.getMessage()));
          break;
        }
      }
    }
    cases.addAll(grown.cases());
    return cases;
  }

  /** Made as they are needed: a larger crowd has the smaller one's and more. */
  static final class Certificates {
    private final ClusterCertificates identities;
    private final TlsFiles gateway;
    private final TlsFiles asker;
    private final List<TlsFiles> nodes = new ArrayList<>();
    private final List<TlsFiles> warming;

    Certificates(ClusterCertificates identities) {
      this.identities = identities;
      this.gateway = identities.gateway();
      this.asker = identities.administrator();
      this.warming =
          IntStream.range(Crowd.WARMING, Crowd.WARMING + GatewayWarmUp.NODES)
              .mapToObj(this::node)
              .toList();
    }

    TlsFiles gateway() {
      return gateway;
    }

    TlsFiles asker() {
      return asker;
    }

    List<TlsFiles> nodes(int count) {
      IntStream.range(nodes.size(), count).forEach(i -> nodes.add(node(i)));
      return List.copyOf(nodes.subList(0, count));
    }

    List<TlsFiles> warming() {
      return warming;
    }

    private TlsFiles node(int number) {
      return identities.node(Crowd.name(number), Crowd.address(number));
    }
  }
}
