package dev.rollcall.roll;

import com.hazelcast.instance.EndpointQualifier;
import com.hazelcast.instance.impl.DefaultNodeContext;
import com.hazelcast.instance.impl.DefaultNodeExtension;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.instance.impl.NodeExtension;
import com.hazelcast.internal.networking.ChannelInitializer;
import com.hazelcast.internal.networking.InboundHandler;
import com.hazelcast.internal.server.ServerConnection;
import com.hazelcast.internal.server.ServerContext;
import java.util.function.Function;

/**
 * Makes Hazelcast's parts for a member whose port is bounded by {@link MemberConnections}.
 * Hazelcast Open Source itself reads from every client, and trusts every length.
 */
final class MemberPort extends DefaultNodeContext {
  private final boolean isProtected;

  /**
   * @param isProtected true: the site keeps others from the port, so every address is admitted
   */
  MemberPort(boolean isProtected) {
    this.isProtected = isProtected;
  }

  @Override
  public NodeExtension createNodeExtension(Node node) {
    return new Extension(node, isProtected);
  }

  private static final class Extension extends DefaultNodeExtension {
    private final MemberConnections connections;

    Extension(Node node, boolean isProtected) {
      super(node);
      connections = new MemberConnections(new MemberAddresses(node), isProtected);
    }

    @Override
    public InboundHandler<?, ?>[] createInboundHandlers(
        EndpointQualifier qualifier, ServerConnection connection, ServerContext context) {
      return new InboundHandler<?, ?>[] {
        new BoundedPacketDecoder(connection, node.nodeEngine.getPacketDispatcher(), connections)
      };
    }

    @Override
    public Function<EndpointQualifier, ChannelInitializer> createChannelInitializerFn(
        ServerContext context) {
      Function<EndpointQualifier, ChannelInitializer> plain =
          super.createChannelInitializerFn(context);
      return qualifier ->
          channel -> {
            plain.apply(qualifier).initChannel(channel);
            connections.opened(channel);
          };
    }
  }
}
