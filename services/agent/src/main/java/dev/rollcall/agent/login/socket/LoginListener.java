package dev.rollcall.agent.login.socket;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.linux.Descriptor;
import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.net.UnixListener;
import io.netty.channel.IoEvent;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoHandle;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.channel.unix.FileDescriptor;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Listens on a unix socket, and accepts on the event loop that serves what it accepts. A server of
 * Vert.x accepts on a thread of its own, which has to wake the event loop while somebody waits, and
 * makes of each connection what one message and its answer do not need.
 */
final class LoginListener implements EpollIoHandle {
  private static final System.Logger LOG = System.getLogger(LoginListener.class.getName());

  /** Others on the event loop have their turn then. */
  private static final int AT_ONCE = 64;

  private static final long WITHOUT_DESCRIPTORS_MS = 100;

  /**
   * An event that a listening socket never has. Netty 4.2 removes a handle without events from
   * epoll.
   */
  private static final EpollIoOps NEVER = EpollIoOps.EPOLLRDHUP;

  private final ContextInternal context;
  private final UnixListener listener;
  private final FileDescriptor watched;
  private final Consumer<AcceptedSocket> enter;
  private final Consumer<String> trouble;
  private @Nullable IoRegistration registration;

  private LoginListener(
      ContextInternal context,
      UnixListener listener,
      Consumer<AcceptedSocket> enter,
      Consumer<String> trouble) {
    this.context = context;
    this.listener = listener;
    this.watched = new FileDescriptor(listener.descriptor());
    this.enter = enter;
    this.trouble = trouble;
  }

  /**
   * @param context on which everything happens
   * @param file of the socket; nothing may be there
   * @param backlog of listen(2)
   * @param enter called with each connection; what it throws ends that connection
   * @param trouble gets the reason why accept(2) fails, as without descriptors; it is tried again
   */
  static Future<LoginListener> open(
      ContextInternal context,
      Path file,
      int backlog,
      Consumer<AcceptedSocket> enter,
      Consumer<String> trouble) {
    Promise<LoginListener> opened = context.promise();
    try {
      var listener = new LoginListener(context, UnixListener.open(file, backlog), enter, trouble);
      watch(
          context,
          listener,
          EpollIoOps.EPOLLIN,
          registered -> {
            listener.registration = registered;
            opened.complete(listener);
          });
    } catch (IOException e) {
      opened.fail(e);
    }
    return opened.future();
  }

  /**
   * Has the event loop wait for these events from now on. To be called on it.
   *
   * @param handle closed, if it cannot be watched
   */
  static void watch(
      ContextInternal context,
      EpollIoHandle handle,
      EpollIoOps events,
      Consumer<IoRegistration> watched) {
    var loop = (IoEventLoop) context.nettyEventLoop();
    var _ =
        loop.register(handle)
            .addListener((io.netty.util.concurrent.Future<IoRegistration> done) -> {
              if (done.isSuccess()) {
                var _ = done.getNow().submit(events);
                watched.accept(done.getNow());
              } else {
                LOG.log(WARNING, "login socket: not watched: {0}", String.valueOf(done.cause()));
                close(handle);
              }
            });
  }

  private static void close(IoHandle handle) {
    try {
      handle.close();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public FileDescriptor fd() {
    return watched;
  }

  @Override
  public void handle(IoRegistration registration, IoEvent event) {
    try {
      for (int i = 0; i < AT_ONCE; i++) {
        Optional<Descriptor> next = listener.accept();
        if (next.isEmpty()) {
          return;
        }
        context.dispatch(new AcceptedSocket(context, next.get()), this::enter);
      }
    } catch (ErrnoException e) {
      trouble.accept(String.valueOf(e.getMessage()));
      context.setTimer(
          WITHOUT_DESCRIPTORS_MS,
          _ -> {
            if (registration.isValid()) {
              var _ = registration.submit(EpollIoOps.EPOLLIN);
            }
          });
      var _ = registration.submit(NEVER);
    }
  }

  private void enter(AcceptedSocket socket) {
    try {
      enter.accept(socket);
    } catch (RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  /** Takes nobody in any more. */
  @Override
  public void close() {
    IoRegistration registered = registration;
    registration = null;
    if (registered != null) {
      var _ = registered.cancel();
    }
    listener.close();
  }
}
