#pragma once

// Boost stays in our .cpp files: this declares the few of its types that headers name.

// NOLINTBEGIN(readability-identifier-naming): the names are Boost's
namespace boost::asio {
class any_io_executor;
class io_context;
template <typename T, typename Executor>
class awaitable;
template <typename Protocol, typename Executor>
class basic_stream_socket;
namespace ip {
class tcp;
}
}  // namespace boost::asio
// NOLINTEND(readability-identifier-naming)

namespace switchyard::api {

template <typename T>
using Awaitable = boost::asio::awaitable<T, boost::asio::any_io_executor>;
using TcpSocket =
    boost::asio::basic_stream_socket<boost::asio::ip::tcp, boost::asio::any_io_executor>;

}  // namespace switchyard::api
