package dev.rollcall.roll;

import com.hazelcast.config.ClassFilter;
import com.hazelcast.config.Config;
import com.hazelcast.config.ExecutorConfig;
import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.config.IndexConfig;
import com.hazelcast.config.IndexType;
import com.hazelcast.config.JavaSerializationFilterConfig;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.config.MapConfig;
import com.hazelcast.config.MergePolicyConfig;
import com.hazelcast.config.NetworkConfig;
import com.hazelcast.config.SerializationConfig;
import com.hazelcast.internal.util.ClockProperties;
import java.net.Inet6Address;
import java.util.List;
import java.util.Map;

/** A member's configuration, in code alone: no file on the class path changes it. */
final class MemberConfig {
  static final String GATEWAY_ATTRIBUTE = "rollcall.gateway";

  /** The number of the job of an entry. */
  static final String JOB_ATTRIBUTE = "job";

  private static final int MERGE_BATCH = 1000;

  static {
    // Before Hazelcast reads it, once in a JVM.
    System.setProperty(ClockProperties.HAZELCAST_CLOCK_IMPL, SteadyClock.class.getName());
  }

  private static final Map<String, String> PROPERTIES =
      Map.ofEntries(
          Map.entry("hazelcast.phone.home.enabled", "false"),
          Map.entry("hazelcast.socket.bind.any", "false"),
          // Members know each other by the address from which they connect.
          Map.entry("hazelcast.socket.client.bind.any", "false"),
          Map.entry("hazelcast.logging.type", "jdk"),
          Map.entry("hazelcast.shutdownhook.enabled", "false"),
          Map.entry("hazelcast.graceful.shutdown.max.wait", "10"),
          Map.entry("hazelcast.wait.seconds.before.join", "0"),
          // 15 s and not 5: on busy machines a healthy member was dropped, with its entries.
          Map.entry("hazelcast.heartbeat.interval.seconds", "1"),
          Map.entry("hazelcast.max.no.heartbeat.seconds", "15"),
          Map.entry("hazelcast.invocation.retry.pause.millis", "100"),
          Map.entry("hazelcast.operation.call.timeout.millis", "10000"),
          Map.entry("hazelcast.operation.backup.timeout.millis", "1000"),
          Map.entry("hazelcast.merge.first.run.delay.seconds", "2"),
          Map.entry("hazelcast.merge.next.run.delay.seconds", "2"),
          // With the defaults some 370 expired entries a second leave the heap; so, 70,000.
          Map.entry("hazelcast.internal.map.expiration.cleanup.operation.count", "271"),
          Map.entry("hazelcast.internal.map.expiration.cleanup.percentage", "100"));

  /** Of all that members send each other. */
  static final List<Serializer<?>> SERIALIZERS =
      List.of(
          NodeValue.SERIALIZER,
          JobValue.SERIALIZER,
          CallValue.SERIALIZER,
          Enter.SERIALIZER,
          Swap.SERIALIZER,
          Strike.SERIALIZER,
          ProcessesByPid.SERIALIZER,
          GatewayMessages.SERIALIZER);

  private MemberConfig() {}

  static Config of(GridConfig grid) {
    var config = new Config();
    config.setClusterName(grid.cluster());
    PROPERTIES.forEach(config::setProperty);
    config.setProperty("hazelcast.local.localAddress", grid.listen().address().getHostAddress());
    if (grid.listen().address() instanceof Inet6Address) {
      config.setProperty("hazelcast.prefer.ipv4.stack", "false");
    }
    config.getMemberAttributeConfig().setAttribute(GATEWAY_ATTRIBUTE, grid.gateway());
    config.getMetricsConfig().setEnabled(false);
    config.getJetConfig().setEnabled(false);
    network(config.getNetworkConfig(), grid);
    serialization(config.getSerializationConfig());
    config.addMapConfig(map(HazelcastRoll.NODES));
    config.addMapConfig(
        map(HazelcastRoll.JOBS).addIndexConfig(by("node")).addIndexConfig(by(JOB_ATTRIBUTE)));
    config.addMapConfig(map(HazelcastRoll.CALLS));
    config.addExecutorConfig(new ExecutorConfig(HazelcastMail.EXECUTOR, 2));
    return config;
  }

  private static void network(NetworkConfig network, GridConfig grid) {
    network.setPort(grid.listen().port()).setPortAutoIncrement(false);
    JoinConfig join = network.getJoin();
    join.getAutoDetectionConfig().setEnabled(false);
    join.getMulticastConfig().setEnabled(false);
    // Also without other members: one that has no joiner refuses those that come later.
    join.getTcpIpConfig()
        .setEnabled(true)
        .setMembers(grid.members())
        .setConnectionTimeoutSeconds(2);
  }

  private static void serialization(SerializationConfig serialization) {
    SERIALIZERS.forEach(serialization.getCompactSerializationConfig()::addSerializer);
    // Members send each other exceptions as Java objects; nothing else comes that way.
    var known = new ClassFilter();
    known.addPrefixes("com.hazelcast.", "java.lang.", "java.util.", "[");
    serialization.setJavaSerializationFilterConfig(
        new JavaSerializationFilterConfig().setDefaultsDisabled(true).setWhitelist(known));
  }

  private static MapConfig map(String name) {
    return new MapConfig(name)
        .setInMemoryFormat(InMemoryFormat.BINARY)
        .setBackupCount(1)
        .setStatisticsEnabled(false)
        .setMergePolicyConfig(
            new MergePolicyConfig(LaterStatementWins.class.getName(), MERGE_BATCH));
  }

  private static IndexConfig by(String attribute) {
    return new IndexConfig(IndexType.HASH, attribute);
  }
}
